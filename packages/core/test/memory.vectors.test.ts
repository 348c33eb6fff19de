/** The golden memory cases, made by running the Python reference, against real files. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MemoryOp, MemoryOpOutcome, MemoryTarget } from '../src/memory/memory-op.ts'
import { MemoryStore } from '../src/memory/memory-store.ts'
import { scanMemoryText } from '../src/memory/threat-scan.ts'
import { HermesError } from '../src/shared/hermes-error.ts'
import type { Result } from '../src/shared/result.ts'
import { fileSystemBackend } from '../src/storage/backends/file-system/index.ts'
import { loadVectors } from './support/load-vectors.ts'

type FileName = 'MEMORY.md' | 'USER.md'
type FileContent = string | { readonly base64: string } | null
interface CallOp {
  readonly target: MemoryTarget
  readonly action?: string
  readonly content?: string
  readonly oldText?: string
  readonly batch?: ReadonlyArray<{ readonly action?: string; readonly content?: string; readonly oldText?: string }>
}
type VectorOp = CallOp | { readonly external: FileName; readonly write: string } | { readonly newTurn: true }
type Expected =
  | { readonly ok: true; readonly entryCount?: number; readonly usage?: string }
  | { readonly ok: false; readonly error: string }
type Snapshots = Readonly<Record<MemoryTarget, string | null>>
interface VectorCase {
  readonly name: string
  readonly group: string
  readonly limits: { readonly memory: number; readonly user: number }
  readonly initialFiles: Partial<Record<FileName, FileContent>>
  readonly ops: readonly VectorOp[]
  readonly expect: readonly Expected[]
  readonly finalFiles: Record<FileName, FileContent>
  readonly snapshot: Snapshots
  readonly nextSession: { readonly entries: Readonly<Record<MemoryTarget, readonly string[]>>; readonly snapshot: Snapshots }
  readonly backups?: Partial<Record<FileName, readonly string[]>>
  readonly quirk?: string
}

const FILES = { memory: 'MEMORY.md', user: 'USER.md' } as const
const TARGETS = ['memory', 'user'] as const

/** What one op did here, beside what the reference did. */
interface Step {
  readonly op: CallOp
  readonly reference: Expected
  readonly result: Result<MemoryOpOutcome>
  readonly before: Buffer | null
  readonly after: Buffer | null
  readonly entriesBefore: readonly string[]
  readonly limit: number
  /** An earlier op of the case already went another way than in the reference. */
  readonly diverged: boolean
}

const contentsOf = (op: CallOp): readonly string[] =>
  (op.batch ?? [op]).flatMap(({ action, content }) => (action !== 'remove' && content !== undefined ? [content] : []))

const withLineFeeds = (text: string) => text.replace(/\r\n?/g, '\n')
const codePoints = (text: string) => [...text].length
const pieces = (bytes: Buffer | null) =>
  withLineFeeds(bytes?.toString('utf8') ?? '')
    .split('\n§\n')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
const hasCosmeticDrift = (bytes: Buffer | null) => {
  const text = withLineFeeds(bytes?.toString('utf8') ?? '').trim()
  return text !== '' && text !== pieces(bytes).join('\n§\n')
}

const summarise = (result: Result<MemoryOpOutcome>): Expected =>
  result.ok ? { ok: true, entryCount: result.value.entryCount, usage: result.value.usage } : { ok: false, error: result.error.code }

const expectRefusedUntouched = (step: Step, code: string) => {
  expect(summarise(step.result)).toEqual({ ok: false, error: code })
  expect(step.after).toEqual(step.before)
}

interface Deviation {
  /** Why we differ from the reference on purpose. */
  readonly reason: string
  /** What must hold instead. Answers true where it took the step over; false leaves it to the comparison with the reference. */
  readonly replaces: (step: Step) => boolean
}

/** Every place where we knowingly differ, by the vectors' `quirk`. A quirk that is not listed here fails its case. */
const DEVIATIONS: Readonly<Record<string, Deviation>> = {
  'delimiter-injection': {
    reason: 'One addition must never become two entries, nor an entry lose its last line to the next one: refused as invalid.',
    replaces: (step) => {
      const injects = contentsOf(step.op).some((content) => withLineFeeds(content).trim().includes('\n§\n'))
      const runsOn = step.op.action === 'add' && (step.entriesBefore.at(-1)?.endsWith('\n§') ?? false)
      if (injects || runsOn) expectRefusedUntouched(step, 'invalid')
      return injects || runsOn
    },
  },
  'crlf-content': {
    reason: 'Line ends become LF before they are stored, so the same text is the same entry.',
    replaces: (step) => {
      if (!contentsOf(step.op).some((content) => content.includes('\r'))) return false
      expect(step.result.ok).toBe(true)
      expect(step.after?.includes('\r')).toBe(false)
      for (const content of contentsOf(step.op))
        expect(pieces(step.after).filter((piece) => piece === withLineFeeds(content).trim())).toHaveLength(1)
      return true
    },
  },
  'duplicate-by-replace': {
    reason: 'Two copies of an entry only cost room: they collapse in the same write, not at the next one.',
    replaces: (step) => {
      if (!step.result.ok || step.op.action !== 'replace' || !step.entriesBefore.includes(step.op.content ?? '')) return false
      expect(step.reference.ok).toBe(true)
      expect(pieces(step.after)).toEqual([...new Set(pieces(step.after))])
      expect(step.result.value.entryCount).toBe(pieces(step.after).length)
      expect(pieces(step.after)).toContain(step.op.content)
      expect(step.result.value.previous).toHaveLength(1)
      return true
    },
  },
  'duplicate-add-skips-write': {
    reason: 'None: kept as in the reference. A duplicate is answered without a write.',
    replaces: () => false,
  },
  'overfull-shrink-refused': {
    reason: 'A store that another program overfilled may shrink step by step.',
    replaces: (step) => {
      if (step.reference.ok || step.reference.error !== 'over_limit') return false
      const [usedBefore, usedAfter] = [step.before, step.after].map((bytes) => codePoints(pieces(bytes).join('\n§\n')))
      expect(step.result.ok).toBe(true)
      expect(usedAfter).toBeLessThan(usedBefore ?? 0)
      return true
    },
  },
  'cosmetic-drift-refused': {
    reason: 'White space around entries is tidied after a backup instead of refusing for ever (DESIGN 3).',
    replaces: (step) => {
      if (step.reference.ok || step.reference.error !== 'drift') return false
      if (pieces(step.before).some((piece) => codePoints(piece) > step.limit)) return false
      expect(hasCosmeticDrift(step.before)).toBe(true)
      expect(step.result.ok || step.result.error.code !== 'drift').toBe(true)
      if (step.result.ok) {
        expect(step.result.value.backupPath).toMatch(/^memories\/(MEMORY|USER)\.md\.bak\.\d+(-\d+)?$/)
        expect(hasCosmeticDrift(step.after)).toBe(false)
      } else {
        expect(step.after).toEqual(step.before)
      }
      return true
    },
  },
  'zwj-emoji-refused': {
    reason: 'Joiners inside emoji and in scripts that need them hide nothing.',
    replaces: (step) => {
      if (step.reference.ok || step.reference.error !== 'blocked') return false
      expect(step.result.ok).toBe(true)
      for (const content of contentsOf(step.op)) expect(pieces(step.after)).toContain(content.trim())
      return true
    },
  },
  'blocked-prefix-unscanned': {
    reason: 'A text that only looks like our placeholder is scanned like any other; a clean one is shown as it is.',
    replaces: () => false,
  },
  'terminal-hides-cause': {
    reason: 'The answer is `capped` as in the reference, but the real cause stays visible beside it.',
    replaces: (step) => {
      if (step.reference.ok || step.reference.error !== 'capped') return false
      expectRefusedUntouched(step, 'capped')
      const cause = step.result.ok ? undefined : step.result.error.cause
      expect(HermesError.isInstance(cause) && cause.code).toMatch(/^(over_limit|not_found|ambiguous|would_empty|empty|invalid)$/)
      expect(!step.result.ok && HermesError.isInstance(cause) && step.result.error.message.includes(cause.message)).toBe(true)
      return true
    },
  },
}

/** Rules for what also occurs in cases without a quirk; each limits itself to its own situation. */
const EVERYWHERE = ['cosmetic-drift-refused', 'terminal-hides-cause'] as const

let home: string
let folder: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'hermes-memory-vectors-'))
  folder = join(home, 'memories')
  await mkdir(folder)
})

afterEach(() => rm(home, { recursive: true, force: true }))

const readRaw = async (name: FileName): Promise<Buffer | null> => readFile(join(folder, name)).catch(() => null)

const toBytes = (content: FileContent): Buffer | null =>
  content === null ? null : typeof content === 'string' ? Buffer.from(content, 'utf8') : Buffer.from(content.base64, 'base64')

const readBackups = async (name: FileName): Promise<readonly string[]> => {
  const numbers = (file: string) => (/\.bak\.(\d+)(?:-(\d+))?$/.exec(file) ?? []).slice(1).map((digits) => Number(digits ?? 0))
  const names = (await readdir(folder)).filter((file) => file.startsWith(`${name}.bak.`))
  names.sort((a, b) => (numbers(a)[0] ?? 0) - (numbers(b)[0] ?? 0) || (numbers(a)[1] ?? 0) - (numbers(b)[1] ?? 0))
  return Promise.all(names.map((file) => readFile(join(folder, file), 'utf8')))
}

/** The placeholder's wording is the port's own, and so is the length that the header counts. */
const normaliseBlocked = (block: string | undefined): string | null => {
  if (block === undefined) return null
  const placeholder = /\[BLOCKED: (?:MEMORY|USER)\.md entry: ([\w+, ]+)\. [^\]]*\]/g
  const marked = block.replace(placeholder, (_, ids: string) => `⟦BLOCKED ${ids.split(', ').join(' ')}⟧`)
  return marked === block ? block : marked.replace(/ \[\d+% — [\d,]+\/[\d,]+ chars\]\n/, ' [⟦USAGE⟧]\n')
}

const snapshotOf = (store: MemoryStore): Snapshots => ({
  memory: normaliseBlocked(store.renderSnapshot('memory')),
  user: normaliseBlocked(store.renderSnapshot('user')),
})

const entriesOf = (store: MemoryStore) => ({ memory: store.entries('memory'), user: store.entries('user') })

const openStore = async ({ limits }: VectorCase): Promise<MemoryStore> => {
  let now = Date.UTC(2026, 8, 1)
  const store = new MemoryStore({
    storage: fileSystemBackend(home),
    memoryCharLimit: limits.memory,
    userCharLimit: limits.user,
    clock: () => {
      now += 1000
      return now
    },
  })
  expect(await store.load()).toEqual({ ok: true, value: undefined })
  return store
}

/** Vectors may hold malformed operations on purpose; the store takes them as an untyped caller's. */
const call = (store: MemoryStore, op: CallOp) => {
  const { target, batch, ...single } = op
  return store.apply(target, (batch ?? single) as unknown as MemoryOp)
}

/** An exact duplicate or a write that tidied: the reference keeps no copy when a single `add` tidies a file, we always do (DESIGN 3). */
const tidiedByAdd = (step: Step) =>
  step.op.action === 'add' && step.result.ok && hasCosmeticDrift(step.before) && !step.after?.equals(step.before ?? Buffer.of())

const runCase = async (vector: VectorCase) => {
  const names = new Set<string>([...(vector.quirk === undefined ? [] : [vector.quirk]), ...EVERYWHERE])
  const deviations = [...names].map((name) => {
    const deviation = DEVIATIONS[name]
    if (!deviation) throw new Error(`Unknown quirk '${name}': decide on it and list it in DEVIATIONS.`)
    return deviation
  })
  for (const name of Object.values(FILES)) {
    const bytes = toBytes(vector.initialFiles[name] ?? null)
    if (bytes) await writeFile(join(folder, name), bytes)
  }
  const store = await openStore(vector)
  const frozen = snapshotOf(store)
  expect(frozen).toEqual(vector.snapshot)

  let diverged = false
  const extraBackups: Record<FileName, string[]> = { 'MEMORY.md': [], 'USER.md': [] }
  for (const [index, op] of vector.ops.entries()) {
    if ('newTurn' in op) store.newTurn()
    else if ('external' in op) await writeFile(join(folder, op.external), op.write)
    if (!('target' in op)) continue
    const name = FILES[op.target]
    const before = await readRaw(name)
    const fresh = await store.current(op.target)
    const entriesBefore = fresh.ok ? fresh.value : []
    const result = await call(store, op)
    const reference = vector.expect[index]
    if (!reference) throw new Error(`No expectation for op ${index + 1}.`)
    const step = { op, reference, result, before, after: await readRaw(name), entriesBefore, limit: vector.limits[op.target], diverged }
    if (deviations.some(({ replaces }) => replaces(step))) diverged ||= JSON.stringify(summarise(result)) !== JSON.stringify(reference)
    else if (!diverged) expect(summarise(result), `op ${index + 1}`).toEqual(reference)
    else expectConsistent(step, store)
    if (tidiedByAdd(step)) extraBackups[name].push(before?.toString('utf8') ?? '')
    expect(snapshotOf(store)).toEqual(frozen)
  }

  const next = await openStore(vector)
  for (const target of TARGETS) {
    const name = FILES[target]
    expect(await readBackups(name)).toEqual([...(vector.backups?.[name] ?? []), ...extraBackups[name]])
    if (!diverged) expect(await readRaw(name)).toEqual(toBytes(vector.finalFiles[name]))
  }
  if (diverged) {
    expect(entriesOf(next)).toEqual(entriesOf(store))
  } else {
    expect(entriesOf(next)).toEqual(vector.nextSession.entries)
    expect(snapshotOf(next)).toEqual(vector.nextSession.snapshot)
  }
  if (vector.quirk === 'blocked-prefix-unscanned') expectScannedAlike(next)
  expect((await readdir(folder)).filter((file) => file === '.provenance.json')).toEqual([])
}

/** After a divergence the reference's numbers no longer apply; what is on disk must still be what the store says. */
const expectConsistent = (step: Step, store: MemoryStore) => {
  if (!step.result.ok) return expect(step.after).toEqual(step.before)
  expect(pieces(step.after)).toEqual(store.entries(step.op.target))
  return expect(step.result.value.entryCount).toBe(pieces(step.after).length)
}

const expectScannedAlike = (store: MemoryStore) => {
  for (const target of TARGETS) {
    for (const entry of store.entries(target).filter((text) => text.startsWith('[BLOCKED:'))) {
      expect(store.renderSnapshot(target)?.includes(entry)).toBe(scanMemoryText(entry).length === 0)
    }
  }
}

const vectors = loadVectors<{ readonly cases: readonly VectorCase[] }>('memory')

describe.skipIf(!vectors)('the golden memory cases', () => {
  const cases = vectors?.cases ?? []

  test('are there', () => {
    expect(cases.length).toBeGreaterThan(0)
  })

  test.for(cases.map((vector) => [`${vector.group}: ${vector.name}${vector.quirk ? ` (${vector.quirk})` : ''}`, vector] as const))(
    '%s',
    ([, vector]) => runCase(vector),
  )
})

test('every deviation of the memory cases states a reason', () => {
  for (const { reason } of Object.values(DEVIATIONS)) expect(reason).not.toBe('')
})
