/**
 * What a power cut may leave, modelled: each document in any of its states since the last checkpoint, or emptied, or torn; any header of the log; perhaps half
 * a record at its end. The next start of the machine has another boot id. Python may write before the library does.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { FileBackend } from '../../src/storage/files/file-backend.ts'
import { decodeHead, encodeHead, encodeRecord, HEAD, type Head } from '../../src/storage/files/log-record.ts'
import type { Cut, Plan, StorageBackend } from '../../src/storage/storage-backend.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { temporaryFolder } from './support/temporary-home.ts'

type State = ReadonlyMap<string, string>

const MEMORY = 'memories/MEMORY.md'
const USAGE = 'skills/.usage.json'
const SEPARATOR = '\n§\n'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const textIn = (cut: Cut, path: string): string => new TextDecoder().decode(cut.document(path)?.bytes)

const stateOf = async (storage: StorageBackend): Promise<State> => {
  const listed = await storage.list('')
  if (!listed.ok) throw listed.error
  const paths = listed.value.map(({ path }) => path)
  const cut = await storage.read(paths.length > 0 ? paths : ['none'])
  if (!cut.ok) throw cut.error
  return new Map(paths.map((path) => [path, textIn(cut.value, path)]))
}

const entriesOf = (text = ''): readonly string[] => (text === '' ? [] : text.split(SEPARATOR))

type Random = (most: number) => number

/** Makes one update of a random kind. */
const updateOnce = async (storage: StorageBackend, random: Random, number: number): Promise<void> => {
  const kinds: (() => Promise<{ readonly ok: boolean }>)[] = [
    () =>
      storage.update([MEMORY, USAGE, 'journal/day'], (cut) => {
        const entries = entriesOf(textIn(cut, MEMORY)).filter((_, index) => random(6) > 0 || index > 2)
        const usage = JSON.parse(textIn(cut, USAGE) || '{}') as Record<string, { readonly use_count: number }>
        return {
          put: {
            [MEMORY]: bytes([...entries, `entry ${number}`].join(SEPARATOR)),
            [USAGE]: bytes(JSON.stringify({ ...usage, ts: { use_count: (usage['ts']?.use_count ?? 0) + 1 } })),
          },
          append: { 'journal/day': bytes(`line ${number}\n`) },
          value: 0,
        }
      }),
    () =>
      storage.update(['small', 'journal/day'], () => ({
        put: { small: bytes(`small ${number} ${'x'.repeat(random(3000))}`) },
        append: { 'journal/day': bytes(`line ${number}\n`) },
        value: 0,
      })),
    () =>
      storage.update(
        ['grown'],
        (cut): Plan<number> =>
          random(3) === 0 || textIn(cut, 'grown') === ''
            ? { put: { grown: bytes(`whole ${number}\n`) }, value: 0 }
            : { append: { grown: bytes(`more ${number}\n`) }, value: 0 },
      ),
    () => storage.update([`skills/s${number}/`], () => ({ put: { [`skills/s${number}/SKILL.md`]: bytes(`skill ${number}`) }, value: 0 })),
    () =>
      storage.update(['skills/', 'archive/'], (cut) => {
        const skill = cut
          .list('skills/')
          .find(({ path }) => path.endsWith('/SKILL.md'))
          ?.path.split('/')[1]
        return skill === undefined ? { value: 0 } : { move: [[`skills/${skill}`, `archive/${skill}`]], value: 0 }
      }),
    () => storage.update(['small'], () => ({ put: { small: null }, value: 0 })),
  ]
  const result = await kinds[random(kinds.length)]?.()
  expect(result?.ok).toBe(true)
}

const headOf = (home: string): Head => {
  const head = decodeHead(readFileSync(join(home, '.hermes/log')).subarray(0, HEAD))
  if (head === undefined || head === 'torn') throw new Error('no header')
  return head
}

/** Documents that have moved are one: the move is on disk or not. */
const familyOf = (path: string): string => path.replace(/^archive\//, 'skills/')

const damage = (text: string, random: Random, keep: number): string => {
  const from = keep + random(text.length - keep + 1)
  return random(2) === 0 ? text.slice(0, from) : text.slice(0, from).padEnd(text.length, '\0')
}

interface Made {
  readonly state: State
  readonly head: Head
}

const cutPower = async (home: string, made: readonly Made[], random: Random, pythonFirst: boolean): Promise<void> => {
  const last = made.at(-1)
  if (!last) return
  const possible = made.filter(({ head }) => head.seq >= last.head.first - 1)
  const base = possible[0]
  const paths = new Set(possible.flatMap(({ state }) => [...state.keys()]))
  const chosen = new Map<string, Made>()
  for (const path of paths) {
    const family = familyOf(path)
    const then = chosen.get(family) ?? possible[random(possible.length)] ?? last
    chosen.set(family, then)
    let text = then.state.get(path)
    const isOld = possible.every(({ state }) => state.get(path) === base?.state.get(path))
    const atBase = [path, family].map((each) => base?.state.get(each))
    // What a checkpoint brought to the disk stays whole where it moves, and what Python reads is on disk before it is there.
    const isSafe = isOld || (pythonFirst && (path === MEMORY || path === USAGE)) || atBase.includes(text)
    const keep = path === 'journal/day' ? (base?.state.get(path)?.length ?? 0) : 0
    if (text !== undefined && !isSafe && path !== 'grown' && random(3) === 0) text = damage(text, random, keep)
    rmSync(join(home, path), { force: true })
    if (text === undefined) continue
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  const log = readFileSync(join(home, '.hermes/log'))
  const older = possible.filter(({ head }) => head.first === last.head.first)
  const head = older[random(older.length)]?.head ?? last.head
  const text = log.subarray(0, HEAD)
  text.set(encodeHead(head))
  if (random(3) === 0) {
    const record = await encodeRecord({
      number: last.head.seq + 1,
      tag: '',
      moves: [],
      changes: [{ path: 'lost', offset: 0, bytes: bytes('lost'.repeat(50)), executable: false }],
    })
    log.set(record.subarray(0, random(record.length)), last.head.end)
  }
  writeFileSync(join(home, '.hermes/log'), log)
}

const pythonWrites = (home: string): void => {
  const memory = join(home, MEMORY)
  const usage = join(home, USAGE)
  mkdirSync(dirname(memory), { recursive: true })
  mkdirSync(dirname(usage), { recursive: true })
  const read = (file: string) => {
    try {
      return readFileSync(file, 'utf8')
    } catch {
      return ''
    }
  }
  writeFileSync(memory, [...entriesOf(read(memory)), 'python'].join(SEPARATOR))
  writeFileSync(usage, JSON.stringify({ ...JSON.parse(read(usage) || '{}'), py: { use_count: 1 } }))
}

const expected = (state: State, pythonFirst: boolean): unknown => ({
  ...Object.fromEntries([...state].filter(([path]) => path !== MEMORY && path !== USAGE)),
  [MEMORY]: [...entriesOf(state.get(MEMORY)), ...(pythonFirst ? ['python'] : [])].toSorted(),
  [USAGE]: { ...JSON.parse(state.get(USAGE) ?? '{}'), ...(pythonFirst ? { py: { use_count: 1 } } : {}) },
  after: 'the cut',
})

const ROUNDS = rounds(300)

describe('a power cut', () => {
  it(`loses, tears and doubles nothing acknowledged in ${ROUNDS} rounds`, { timeout: 600_000 }, async () => {
    const top = temporaryFolder()
    for (let round = 0; round < ROUNDS; round++) {
      const next = seededRandom(round + 1)
      const random: Random = (most) => Math.floor(next() * most)
      const home = mkdtempSync(join(top, 'home-'))
      const before = new FileBackend(home, { boot: 'first' })
      const made: Made[] = []
      const updates = 1 + random(14)
      for (let number = 0; number < updates; number++) {
        await updateOnce(before, random, number)
        const state = await stateOf(before)
        made.push({ state, head: headOf(home) })
      }
      // Lets a checkpoint end: what it brought to the disk stays there.
      await pause(20)
      made.push({ state: made.at(-1)?.state ?? new Map(), head: headOf(home) })
      const pythonFirst = round % 2 === 1
      await cutPower(home, made, random, pythonFirst)
      if (pythonFirst) pythonWrites(home)

      const warnings: string[] = []
      const after = new FileBackend(home, { boot: 'second', onWarning: (message) => warnings.push(message) })
      if (round % 3 === 0) expect((await after.read([MEMORY])).ok).toBe(true)
      expect((await after.update(['after'], () => ({ put: { after: bytes('the cut') }, value: 0 }))).ok).toBe(true)
      const state = await stateOf(after)
      const seen = {
        ...Object.fromEntries(state),
        [MEMORY]: [...entriesOf(state.get(MEMORY))].toSorted(),
        [USAGE]: JSON.parse(state.get(USAGE) ?? '{}') as unknown,
      }
      expect(seen, `round ${round}`).toEqual(expected(made.at(-1)?.state ?? new Map(), pythonFirst))
      expect(warnings, `round ${round}`).toEqual([])
      await after.close()
      rmSync(home, { recursive: true })
    }
  })
})
