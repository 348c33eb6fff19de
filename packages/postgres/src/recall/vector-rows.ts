/**
 * Vectors without an extension of the server. One bit for each number chooses candidates, which are then compared exactly: for the vectors of embedding models
 * this finds nearly always what an exact comparison of all finds, and reads a few hundred vectors instead of all.
 */
import type { IndexHit, RecallItem, VectorIndex } from '@hermes/recall'
import { fromHex, toHex } from '../calls/hex.ts'
import type { Query } from '../drivers/driver.ts'
import type { SchemaNames } from '../schema/schema-name.ts'
import { isSeen, itemColumns, toHit, toItem } from './item-rows.ts'

/** Candidates for each hit, and at least. */
const CANDIDATES_PER_HIT = 4
const FEWEST_CANDIDATES = 200
/** Items in one statement, each with all its vectors: an item with a part of them would not be missing. */
const GROUP = 8

const signsOf = (vector: Float32Array): string => Array.from(vector, (number) => (number > 0 ? '1' : '0')).join('')

const bytesOf = (vector: Float32Array): Uint8Array => new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)

/** A copy, because numbers must begin at a multiple of four bytes. */
const fromBytes = (bytes: Uint8Array): Float32Array => new Float32Array(bytes.slice().buffer)

const cosine = (a: Float32Array, b: Float32Array): number => {
  let product = 0
  let [squaresA, squaresB] = [0, 0]
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? 0
    product += left * right
    squaresA += left * left
    squaresB += right * right
  }
  return squaresA === 0 || squaresB === 0 ? 0 : product / Math.sqrt(squaresA * squaresB)
}

/** Only the items that are named: they choose the vectors. */
const AMONG = `
        join jsonb_to_recordset($11::text::jsonb) as one (kind text, id text)
          on candidate.home_no = known.home_no and candidate.kind = one.kind and candidate.id = one.id`

export const createVectorRows = (query: Query, names: SchemaNames, home: string): VectorIndex => {
  const place = `(select no from ${names.recallHomes} where home = $1::text)`
  return {
    async missing(model, limit): Promise<readonly RecallItem[]> {
      const statement = `
select ${itemColumns('item')} from ${names.recallItems} as item
  where item.home_no = ${place} and not exists (select from ${names.recallVectors} as known where known.no = item.no and known.model = $2::text)
  order by item.at desc, item.no desc limit $3::integer`
      return (await query(statement, [home, model, limit])).map(toItem)
    },

    async set(model, items) {
      const [first] = items.flatMap(({ vectors }) => vectors)
      // Of another length: all items are missing then.
      const otherLength = `
delete from ${names.recallVectors}
  where home_no = ${place} and model = $2::text and (dimensions between 1 and $3::integer - 1 or dimensions > $3::integer)`
      if (first) await query(otherLength, [home, model, first.length])
      const statement = `
with given as (
  select item.no, item.home_no, entry
    from jsonb_array_elements($3::text::jsonb) as entry
      join ${names.recallItems} as item on item.home_no = ${place} and item.kind = entry->>'kind' and item.id = entry->>'id'
    order by item.no for share of item
), gone as (
  delete from ${names.recallVectors} as known using given where known.no = given.no and known.part >= (entry->>'parts')::integer
)
insert into ${names.recallVectors} (no, part, home_no, model, dimensions, signs, vector)
  select no, (entry->>'part')::smallint, home_no, $2::text, (entry->>'dimensions')::integer, (entry->>'signs')::bit varying, decode(entry->>'vector', 'hex')
    from given
  on conflict (no, part) do update set model = excluded.model, dimensions = excluded.dimensions, signs = excluded.signs, vector = excluded.vector`
      const entriesOf = ({ id, kind, vectors }: (typeof items)[number]) => {
        const parts = vectors.length === 0 ? [new Float32Array(0)] : vectors
        return parts.map((vector, part) => ({
          id,
          kind,
          part,
          parts: parts.length,
          dimensions: vector.length,
          signs: signsOf(vector),
          vector: toHex(bytesOf(vector)),
        }))
      }
      for (let start = 0; start < items.length; start += GROUP)
        await query(statement, [home, model, JSON.stringify(items.slice(start, start + GROUP).flatMap(entriesOf))])
    },

    async nearest(model, vector, { limit, after, before, sessionId, excludeSessionId, project, among }): Promise<readonly IndexHit[]> {
      const named = among ? AMONG : ''
      const statement = `
select ${itemColumns('item')}, encode(near.vector, 'hex') as vector
  from (
    select known.no, known.vector from ${names.recallVectors} as known join ${names.recallItems} as candidate on candidate.no = known.no${named}
      where known.home_no = ${place} and known.model = $2::text and known.dimensions = $3::integer
        and candidate.at >= $6::float8 and candidate.at < $7::float8
        and ($8::text is null or candidate.kind = 'turn' and candidate.source = $8::text)
        and ($9::text is null or candidate.kind <> 'turn' or candidate.source <> $9::text) and ${isSeen('$10')}
      order by bit_count(known.signs # $4::text::bit varying), known.no desc limit $5::integer
  ) as near join ${names.recallItems} as item on item.no = near.no`
      const candidates = Math.max(FEWEST_CANDIDATES, limit * CANDIDATES_PER_HIT)
      const span = [after ?? '-Infinity', before ?? 'Infinity', sessionId ?? null, excludeSessionId ?? null, project ?? null]
      const few = among ? [JSON.stringify(among.map(({ kind, id }) => ({ kind, id })))] : []
      const rows = await query(statement, [home, model, vector.length, signsOf(vector), candidates, ...span, ...few])
      const scored = rows
        .map((row) => ({ ...toHit(row), score: cosine(vector, fromBytes(fromHex(String(row['vector'])))) }))
        .sort((a, b) => b.score - a.score)
      // An item by its nearest passage.
      const seen = new Set<string>()
      const best = scored.filter(({ kind, id }) => !seen.has(`${kind} ${id}`) && seen.add(`${kind} ${id}`))
      return best.slice(0, limit)
    },
  }
}
