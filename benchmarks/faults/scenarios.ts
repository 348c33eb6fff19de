/** What is interrupted: six operations of a home, what each has acknowledged, and how the next start finishes it. */

import { createHermes, type Hermes, type HermesOptions, type Result, type StorageBackend } from '@hermes/core'
import { updateDocument } from '@hermes/core/storage'

export const START = Date.UTC(2026, 5, 1, 12)
export const DAY_MS = 86_400_000

export const KEPT = 'The API is deployed with Kamal.'
export const FACT = 'Tests run with Vitest.'
export const MARKER = 'zebra-4411'
const MARKED = `The locker has the sticker ${MARKER}.`

/** By name, the days since the last use. The curator archives the first two. */
export const SKILLS: Readonly<Record<string, number>> = { old: 95, older: 120, idle: 45, fresh: 1 }

export const skillText = (name: string): string => `---\nname: ${name}\ndescription: Does ${name}.\n---\n\nDo it.\n`

const ANSWER = JSON.stringify({
  proposals: [{ target: 'memory', op: { action: 'add', content: FACT }, score: 0.9, evidence: [{ quote: FACT }] }],
})

export const unwrap = <T>(result: Result<T>): T => {
  if (!result.ok) throw result.error
  return result.value
}

/** A clock that starts at `at` and goes on with each call. Ids are unique for each start. */
export const openAt = (storage: StorageBackend, at: number, options: Partial<HermesOptions> = {}): Hermes => {
  let now = at
  let ids = 0
  return createHermes({
    storage,
    clock: () => now++,
    createId: () => `${at}-${ids++}`,
    actor: 'person',
    nudge: { memoryInterval: 100, skillInterval: 0 },
    onEvent: () => {},
    ...options,
  })
}

const put = async (storage: StorageBackend, path: string, text: string): Promise<void> => {
  unwrap(await updateDocument(storage, path, () => new TextEncoder().encode(text)))
}

const say = (hermes: Hermes, session: string): void =>
  hermes.session(session).recordTurn({
    messages: [
      { role: 'user', text: FACT },
      { role: 'assistant', text: 'Noted.' },
    ],
  })

/** A home with two entries, four skills of the agent, and a journal. */
export const fillHome = async (storage: StorageBackend): Promise<void> => {
  for (const name of Object.keys(SKILLS)) await put(storage, `skills/${name}/SKILL.md`, skillText(name))
  const toRecord = (days: number) => ({
    created_by: 'agent',
    state: 'active',
    pinned: false,
    use_count: 1,
    last_used_at: new Date(START - days * DAY_MS).toISOString(),
    created_at: new Date(START - 400 * DAY_MS).toISOString(),
  })
  const records = Object.entries(SKILLS).map(([name, days]) => [name, toRecord(days)] as const)
  await put(storage, 'skills/.usage.json', JSON.stringify(Object.fromEntries(records)))
  const memory = openAt(storage, START - DAY_MS).memoryStore()
  for (const content of [KEPT, MARKED]) unwrap(await memory.apply('memory', { action: 'add', content }, { origin: 'user' }))
}

/** The state of a home that a scenario leads to, as far as it is acknowledged. */
export interface Expected {
  /** `MARKED` was erased. */
  readonly isErased?: boolean
  readonly hasFact?: boolean
  /** Number of unread turns of the session `chat`. */
  readonly unreadTurns?: number
  readonly archived?: readonly string[]
}

/** `done`: acknowledged. `told`: it ended, and its report names what it could not do. `failed`: an error, or no answer. */
export type Outcome = 'done' | 'told' | 'failed'

export interface Scenario {
  readonly name: string
  /** After `fillHome`, without faults. */
  readonly prepare?: (storage: StorageBackend) => Promise<void>
  readonly act: (storage: StorageBackend, at: number, options?: Partial<HermesOptions>) => Promise<Outcome>
  readonly expected: Expected
  /** The next start repeats an act that failed, and then has the expected state. */
  readonly isRepeated: boolean
}

const addFact: Scenario['act'] = async (storage, at, options) => {
  const hermes = openAt(storage, at, options)
  const written = await hermes.memoryStore().apply('memory', { action: 'add', content: FACT }, { origin: 'user' })
  await hermes.settled()
  return written.ok ? 'done' : 'failed'
}

const saveTurn: Scenario['act'] = async (storage, at, options) => {
  let isSaved = true
  const hermes = openAt(storage, at, {
    ...options,
    onEvent: (event) => {
      if (event.type === 'storage-failed' && event.operation === 'save session') isSaved = false
    },
  })
  await hermes.session('chat').systemBlock()
  say(hermes, 'chat')
  await hermes.settled()
  return isSaved ? 'done' : 'failed'
}

const review: Scenario['act'] = async (storage, at, options) => {
  const hermes = openAt(storage, at, { ...options, review: { model: async () => ANSWER } })
  const reviewed = await hermes.review({ minTurns: 1 })
  await hermes.settled()
  if (!reviewed.ok || reviewed.value.kind !== 'reviewed') return 'failed'
  const { applied, failed } = reviewed.value.outcome
  return applied.length === 1 ? 'done' : failed.length === 1 ? 'told' : 'failed'
}

const curate: Scenario['act'] = async (storage, at, options) => {
  const hermes = openAt(storage, at, options)
  const ran = await hermes.curator.run()
  await hermes.settled()
  if (!ran.ok) return 'failed'
  const { problems, report } = ran.value
  return problems.length === 0 && report.skipped.every(({ reason }) => reason !== 'unreadable') ? 'done' : 'told'
}

const rollBack: Scenario['act'] = async (storage, at, options) => {
  const hermes = openAt(storage, at, options)
  const listed = await hermes.curator.backups()
  const target = listed.ok ? listed.value.backups.at(-1)?.id : undefined
  const rolled = target === undefined ? undefined : await hermes.curator.rollback(target)
  await hermes.settled()
  if (!rolled?.ok) return 'failed'
  return rolled.value.problems.length === 0 ? 'done' : 'told'
}

const erase: Scenario['act'] = async (storage, at, options) => {
  const hermes = openAt(storage, at, options)
  const erased = await hermes.forget(MARKER)
  await hermes.settled()
  return erased.ok && erased.value.remaining.length === 0 ? 'done' : 'failed'
}

const archived = ['old', 'older']

export const SCENARIOS: readonly Scenario[] = [
  { name: 'a memory write', act: addFact, expected: { hasFact: true }, isRepeated: true },
  // A turn that could not be saved is lost with the process that reported it.
  { name: "a turn's save", act: saveTurn, expected: { unreadTurns: 1 }, isRepeated: false },
  {
    name: "a review's apply",
    prepare: async (storage) => {
      const hermes = openAt(storage, START - 1_000_000)
      say(hermes, 'chat')
      await hermes.settled()
    },
    act: review,
    expected: { hasFact: true },
    isRepeated: true,
  },
  { name: 'a curator run', act: curate, expected: { archived }, isRepeated: true },
  {
    name: 'a rollback',
    prepare: async (storage) => {
      if ((await curate(storage, START - DAY_MS / 2)) !== 'done') throw new Error('The curator did not run.')
    },
    act: rollBack,
    expected: { archived: [] },
    isRepeated: true,
  },
  { name: 'an erasure', act: erase, expected: { isErased: true }, isRepeated: true },
]
