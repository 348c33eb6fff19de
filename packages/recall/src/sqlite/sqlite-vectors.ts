/** Vectors of passages: the signs of all choose candidates, which are then compared by their numbers. Reading the numbers of all would take a second. */
import type { Clock } from '@hermes/core'
import type { IndexHit, NearSearch, VectorIndex } from '../recall-index.ts'
import type { SqlConnection, SqlValue } from './driver.ts'
import { type ItemRow, toItem } from './items.ts'
import { type ChunkRow, NearSlots, signWords } from './near-slots.ts'
import type { RecallFile } from './recall-file.ts'
import { readHits, spanOf } from './search-terms.ts'
import { rows, sql } from './statements.ts'
import { type Blob, CHUNK, removeVectors, SLOTS, signsOf, toBytes, writeSigns } from './vector-slots.ts'

interface ModelRow {
  readonly no: number
  readonly dimensions: number
  readonly low: number
  readonly high: number
}

/** As numbers from -127 to 127: a quarter of the room, and nearly the same order. */
const toNumbers = (vector: Float32Array): Uint8Array => {
  let most = 0
  for (const number of vector) most = Math.max(most, Math.abs(number))
  const scale = most === 0 ? 0 : 127 / most
  return new Uint8Array(Int8Array.from(vector, (number) => Math.round(number * scale)).buffer)
}

const cosine = (wanted: Float32Array, blob: Blob): number => {
  const bytes = toBytes(blob)
  const numbers = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let product = 0
  let [wantedSquares, squares] = [0, 0]
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] ?? 0
    const other = wanted[at] ?? 0
    product += number * other
    wantedSquares += other * other
    squares += number * number
  }
  return squares === 0 || wantedSquares === 0 ? 0 : product / Math.sqrt(squares * wantedSquares)
}

const modelOf = (db: SqlConnection, model: string): ModelRow | undefined =>
  rows<ModelRow>(
    sql(db, 'select no, dimensions, low, high from vector_models where model = ? order by used_at desc, no desc').all(model),
  )[0]

const NEWER = 'select * from items where n > ? order by n limit ?'
const OLDER = 'select * from items where n < ? order by n desc limit ?'

/** Newer ones than those that are done, then older ones. Of each, the items next to those that are done. */
const missingItems = (db: SqlConnection, model: string, limit: number): readonly ItemRow[] => {
  const known = modelOf(db, model)
  const newer = known ? rows<ItemRow>(sql(db, NEWER).all(known.high, limit)) : []
  return newer.length > 0 ? newer : rows<ItemRow>(sql(db, OLDER).all(known?.low ?? Number.MAX_SAFE_INTEGER, limit))
}

const LAST_SLOT = 'select max(slot) as slot from vectors where slot >= ? and slot < ?'

const MARK = `insert into vector_models (model, dimensions, low, high, used_at) values (?, ?, ?, ?, ?)
on conflict (model, dimensions) do update set used_at = excluded.used_at,
low = case when used_at = 0 then excluded.low else min(low, excluded.low) end,
high = case when used_at = 0 then excluded.high else max(high, excluded.high) end
returning no`
/** What was made with another length is never compared again. */
const GIVE_UP = 'update vector_models set used_at = 0 where model = ? and dimensions <> ?'

interface Given {
  readonly n: number
  readonly vectors: readonly Float32Array[]
}

const store = (db: SqlConnection, model: number, given: readonly Given[]): void => {
  removeVectors(
    db,
    given.map(({ n }) => n),
    model,
  )
  const [last] = rows<{ slot: number | null }>(sql(db, LAST_SLOT).all(model * SLOTS, (model + 1) * SLOTS))
  const first = typeof last?.slot === 'number' ? last.slot + 1 : model * SLOTS
  const vectors = given.flatMap((each) => each.vectors.map((vector) => ({ n: each.n, vector })))
  for (const [at, { n, vector }] of vectors.entries())
    sql(db, 'insert into vectors (slot, n, vector) values (?, ?, ?)').run(first + at, n, toNumbers(vector))
  writeSigns(
    db,
    vectors.map(({ vector }, at) => [first + at, signsOf(vector)]),
  )
}

/** Items that are stored in one piece of work. */
const SET_AT_ONCE = 16

const set = (db: SqlConnection, model: string, items: Parameters<VectorIndex['set']>[1], now: number): void => {
  const given = items.flatMap(({ kind, id, vectors }) =>
    rows<{ n: number }>(sql(db, 'select n from items where kind = ? and id = ?').all(kind, id)).map(({ n }) => ({ n, vectors })),
  )
  if (given.length === 0) return
  const ns = given.map(({ n }) => n)
  const dimensions = given.find(({ vectors }) => vectors.length > 0)?.vectors[0]?.length ?? modelOf(db, model)?.dimensions ?? 0
  sql(db, GIVE_UP).run(model, dimensions)
  const [row] = rows<{ no: number }>(sql(db, MARK).all(model, dimensions, Math.min(...ns), Math.max(...ns), now))
  if (row) store(db, row.no, given)
  eraseUnused(db, now)
}

/** A model that nobody has used for so long is given up, a few vectors with each change of another one. */
const UNUSED_MS = 30 * 86_400_000
const ERASED_AT_ONCE = 50

const eraseUnused = (db: SqlConnection, now: number): void => {
  const [model] = rows<ModelRow>(sql(db, 'select no, dimensions, low, high from vector_models where used_at < ?').all(now - UNUSED_MS))
  if (!model) return
  const from = model.no * SLOTS
  const ids = `select slot from vectors where slot >= ? and slot < ? limit ${ERASED_AT_ONCE}`
  sql(db, `delete from vectors where slot in (${ids})`).run(from, from + SLOTS)
  const chunks = 'select chunk from vector_signs where chunk >= ? and chunk < ? limit 2'
  sql(db, `delete from vector_signs where chunk in (${chunks})`).run(from / CHUNK, (from + SLOTS) / CHUNK)
  if (rows(sql(db, `${ids.replace(String(ERASED_AT_ONCE), '1')}`).all(from, from + SLOTS)).length === 0)
    sql(db, 'delete from vector_models where no = ?').run(model.no)
}

/** Rows of signs that are compared in one piece of work: some milliseconds. */
const PIECE_CHUNKS = 48
/** Vectors that are compared by their numbers, at least and at most; what a search does not want of them does not count. */
const FEWEST_COMPARED = 400
const MOST_COMPARED = 4_000
const COMPARED_AT_ONCE = 200

interface VectorRow {
  readonly n: number
  readonly vector: Blob
}

const FROM = 'from vectors join items on items.n = vectors.n'

interface Condition {
  readonly where: string
  readonly values: readonly SqlValue[]
}

const ofSlots = (db: SqlConnection, slots: readonly number[], { where, values }: Condition): readonly VectorRow[] =>
  rows<VectorRow>(
    sql(db, `select vectors.n as n, vector ${FROM} where slot in (select value from json_each(?))${where}`).all(
      JSON.stringify(slots),
      ...values,
    ),
  )

const NAMED = "json_each(?) as one cross join items on items.kind = one.value ->> 'kind' and items.id = one.value ->> 'id'"

/** As one text, because a row for each takes longer. */
const itemsOf = (db: SqlConnection, { among, ...search }: NearSearch): readonly number[] => {
  const { where, values } = spanOf(search)
  const named = among ? [JSON.stringify(among.map(({ kind, id }) => ({ kind, id })))] : []
  const text = `select json_group_array(n) as ns from ${among ? NAMED : 'items'} where true${where}`
  const [found] = rows<{ ns: string }>(sql(db, text).all(...named, ...values))
  return JSON.parse(found?.ns ?? '[]') as readonly number[]
}

const ofItems = (db: SqlConnection, ns: readonly number[], model: ModelRow): readonly VectorRow[] =>
  rows<VectorRow>(
    sql(db, 'select n, vector from vectors where n in (select value from json_each(?)) and +slot >= ? and +slot < ?').all(
      JSON.stringify(ns),
      model.no * SLOTS,
      (model.no + 1) * SLOTS,
    ),
  )

export const sqliteVectors = (file: RecallFile, clock: Clock): VectorIndex => {
  const nearSlots = async (model: ModelRow, vector: Float32Array): Promise<readonly number[]> => {
    const near = new NearSlots(vector)
    const end = ((model.no + 1) * SLOTS) / CHUNK
    for (let from = (model.no * SLOTS) / CHUNK; ; ) {
      const piece = await file.read<readonly ChunkRow[]>((db) => {
        const text = `select chunk, version from vector_signs where chunk >= ? and chunk < ? order by chunk limit ${PIECE_CHUNKS}`
        const found = rows<ChunkRow>(sql(db, text).all(from, end))
        for (const row of found) near.add(row.chunk, signWords(db, row))
        return found
      }, [])
      const last = piece.at(-1)
      if (!last || piece.length < PIECE_CHUNKS) return near.nearest(MOST_COMPARED)
      from = last.chunk + 1
    }
  }

  /** In pieces of work. Of one session, and of items that are named, all vectors are compared. */
  async function* candidates(model: ModelRow, vector: Float32Array, search: NearSearch): AsyncGenerator<readonly VectorRow[]> {
    if (search.sessionId !== undefined || search.among) {
      const ns = await file.read((db) => itemsOf(db, search), [])
      for (let from = 0; from < ns.length; from += COMPARED_AT_ONCE)
        yield await file.read((db) => ofItems(db, ns.slice(from, from + COMPARED_AT_ONCE), model), [])
      return
    }
    const condition = spanOf(search)
    const slots = await nearSlots(model, vector)
    let count = 0
    for (let from = 0; from < slots.length && count < Math.max(FEWEST_COMPARED, search.limit); from += COMPARED_AT_ONCE) {
      const found = await file.read((db) => ofSlots(db, slots.slice(from, from + COMPARED_AT_ONCE), condition), [])
      count += found.length
      yield found
    }
  }

  return {
    missing: (model, limit) => file.read((db) => missingItems(db, model, limit).map(toItem), []),
    async set(model, items) {
      const now = Math.max(1, Math.trunc(clock()))
      // In this order: the items that are done stay next to each other.
      for (let from = 0; from < items.length; from += SET_AT_ONCE)
        await file.change<void>((db) => set(db, model, items.slice(from, from + SET_AT_ONCE), now), undefined)
    },
    async nearest(model, vector, search) {
      const known = await file.read<ModelRow | undefined>((db) => modelOf(db, model), undefined)
      if (known?.dimensions !== vector.length) return []
      const best = new Map<number, number>()
      for await (const piece of candidates(known, vector, search))
        for (const row of piece) {
          const score = cosine(vector, row.vector)
          if (score > (best.get(row.n) ?? -1)) best.set(row.n, score)
        }
      const chosen = [...best].map(([n, score]) => ({ n, score })).sort((a, b) => b.score - a.score)
      return file.read<readonly IndexHit[]>((db) => readHits(db, chosen.slice(0, search.limit)), [])
    },
  }
}
