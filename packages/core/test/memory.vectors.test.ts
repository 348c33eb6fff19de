/** Replays the golden memory cases, made by running the Python reference, on real files. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MemoryOp, HomeTarget as MemoryTarget } from '../src/memory/memory-op.ts'
import { MemoryStore } from '../src/memory/memory-store.ts'
import { fileSystemBackend } from '../src/storage/files/file-backend.ts'
import { scanMemoryText } from '../src/threats/scan.ts'
import { loadVectors } from './support/load-vectors.ts'
import { DEVIATIONS, EVERYWHERE } from './support/memory-deviations.ts'
import {
  type CallOp,
  FILES,
  type FileContent,
  type FileName,
  hasCosmeticDrift,
  pieces,
  type Snapshots,
  type Step,
  summarise,
  TARGETS,
  type VectorCase,
} from './support/memory-vectors.ts'

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

/** Our placeholder has other words than that of the reference, and thus another length in the header. */
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

/** Some vectors contain malformed operations; the store receives them as if from an untyped caller. */
const call = (store: MemoryStore, op: CallOp) => {
  const { target, batch, ...single } = op
  return store.apply(target, (batch ?? single) as unknown as MemoryOp, { origin: 'external' })
}

/** An exact duplicate, or a write that tidied: the reference keeps no copy if a single `add` tidies a file, we always do. */
const tidiedByAdd = (step: Step) =>
  step.op.action === 'add' && step.result.ok && hasCosmeticDrift(step.before) && !step.after?.equals(step.before ?? Buffer.of())

const runCase = async (vector: VectorCase) => {
  const names = new Set<string>([...(vector.quirk === undefined ? [] : [vector.quirk]), ...EVERYWHERE])
  const deviations = [...names].flatMap((name) => (Object.hasOwn(DEVIATIONS, name) ? (DEVIATIONS[name] ?? []) : []))
  for (const name of Object.values(FILES)) {
    const bytes = toBytes(vector.initialFiles[name] ?? null)
    if (bytes) await writeFile(join(folder, name), bytes)
  }
  const store = await openStore(vector)
  const frozen = snapshotOf(store)
  expect(frozen).toEqual(vector.snapshot)

  const diverged: Record<MemoryTarget, boolean> = { memory: false, user: false }
  const extraBackups: Record<FileName, string[]> = { 'MEMORY.md': [], 'USER.md': [] }
  for (const [index, op] of vector.ops.entries()) {
    if ('newTurn' in op) store.newTurn()
    if ('external' in op) {
      await writeFile(join(folder, op.external), op.write)
      // From here on, both have the same bytes again.
      diverged[op.external === FILES.user ? 'user' : 'memory'] = false
    }
    if (!('target' in op)) continue
    const name = FILES[op.target]
    const before = await readRaw(name)
    const fresh = await store.current(op.target)
    const entriesBefore = fresh.ok ? fresh.value : []
    const result = await call(store, op)
    const reference = vector.expect[index]
    if (!reference) throw new Error(`No expectation for op ${index + 1}.`)
    const step = {
      op,
      reference,
      result,
      before,
      after: await readRaw(name),
      entriesBefore,
      limit: vector.limits[op.target],
      diverged: diverged[op.target],
    }
    if (deviations.some(({ replaces }) => replaces(step)))
      diverged[op.target] ||= JSON.stringify(summarise(result)) !== JSON.stringify(reference)
    else if (!diverged[op.target]) expect(summarise(result), `op ${index + 1}`).toEqual(reference)
    else expectConsistent(step, store)
    if (tidiedByAdd(step)) extraBackups[name].push(before?.toString('utf8') ?? '')
    expect(snapshotOf(store)).toEqual(frozen)
  }

  const next = await openStore(vector)
  for (const target of TARGETS) {
    const name = FILES[target]
    expect(await readBackups(name)).toEqual([...(vector.backups?.[name] ?? []), ...extraBackups[name]])
    if (diverged[target]) {
      expect(next.entries(target)).toEqual(store.entries(target))
    } else {
      expect(await readRaw(name)).toEqual(toBytes(vector.finalFiles[name]))
      expect(next.entries(target)).toEqual(vector.nextSession.entries[target])
      expect(snapshotOf(next)[target]).toEqual(vector.nextSession.snapshot[target])
    }
  }
  if (vector.quirk === 'blocked-prefix-unscanned') expectScannedAlike(next)
  expect((await readdir(folder)).filter((file) => file === '.facts.jsonl')).toEqual([])
}

/** After a difference, the reference's numbers no longer apply, but the files must match what the store reports. */
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
