/** Wrong input of a constructor fails at once, with a message that names the constructor and shows what to pass. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createHermes } from '../src/create-hermes.ts'
import { createHermesHomes } from '../src/create-hermes-homes.ts'
import { everyGate, evidenceGate, scoreThresholdGate } from '../src/gate/gates.ts'
import type { HermesHomesOptions } from '../src/hermes-options.ts'
import { createJournal } from '../src/journal/journal.ts'
import { createPending } from '../src/journal/pending.ts'
import { MemoryStore } from '../src/memory/memory-store.ts'
import type { ProfileSchema } from '../src/memory/profile-schema.ts'
import type { MemoryProvider } from '../src/provider/memory-provider.ts'
import type { ReviewQueue } from '../src/queue/review-queue.ts'
import { type HermesHomesInput, resolveHomesOptions } from '../src/resolve-options.ts'
import { modelProposer } from '../src/review/propose/model-proposer.ts'
import { SkillStore } from '../src/skills/skill-store.ts'
import { fileSystemBackend } from '../src/storage/files/file-backend.ts'
import { skillsFolder } from '../src/storage/files/shared-folder.ts'
import { inMemoryBackend } from '../src/storage/in-memory.ts'
import type { StorageBackend } from '../src/storage/storage-backend.ts'
import { UsageStore } from '../src/usage/usage-store.ts'

type Constructor = (input: never) => unknown

const OF_STORAGE: Readonly<Record<string, Constructor>> = {
  createHermes,
  createHermesHomes,
  MemoryStore: (options) => new MemoryStore(options),
  SkillStore: (options) => new SkillStore(options),
  UsageStore: (options) => new UsageStore(options),
  createJournal,
  createPending,
}

const NO_OPTIONS = [undefined, null, '', '~/.hermes', 3, []]
const NO_STORAGE = [
  {},
  { storage: undefined },
  { storage: null },
  { storage: '~/.hermes' },
  { storage: {} },
  { storage: { read: () => {} } },
]

describe.each(Object.entries(OF_STORAGE))('%s', (name, construct) => {
  it.each(NO_OPTIONS.map((input) => [input]))('refuses %j instead of options', (input) => {
    expect(() => construct(input as never)).toThrow(TypeError)
    expect(() => construct(input as never)).toThrow(new RegExp(`^${name}: pass the options as an object, such as \\{ storage: `))
  })

  it.each(NO_STORAGE.map((input) => [input]))('refuses %j without a storage', (input) => {
    expect(() => construct(input as never)).toThrow(TypeError)
    expect(() => construct(input as never)).toThrow(
      new RegExp(`^${name}: 'storage'.* must be a storage back end, such as fileSystemBackend\\('~/.hermes'\\)`),
    )
  })
})

const OTHERS: Readonly<Record<string, readonly [Constructor, RegExp, readonly unknown[]]>> = {
  fileSystemBackend: [
    fileSystemBackend,
    /'home' must be the path of a folder, such as '~\/\.hermes'/,
    [undefined, null, '', 3, {}, 'a\0b'],
  ],
  skillsFolder: [skillsFolder, /'folder' must be the path of a folder, such as/, [undefined, null, '', 3, {}]],
  modelProposer: [modelProposer, /'model' must be a function that asks a model/, [undefined, null, 'gpt-5', 3, {}, { model: 'gpt-5' }]],
  everyGate: [everyGate, /each gate must be a function, such as evidenceGate\(\)/, [undefined, null, 'strict', 3, {}]],
  evidenceGate: [
    evidenceGate,
    /pass the options as an object, such as \{ trust: 'strict' \}|'trust' must be one of/,
    [null, 'strict', 3, { trust: 'all' }],
  ],
  scoreThresholdGate: [scoreThresholdGate, /the threshold must be a number from 0 to 1/, [null, '', '0.7', 3, {}, Number.NaN]],
}

it.each<[unknown, RegExp]>([
  [null, /'options' must be an object.* but is null \(null\)/],
  ['auto', /'options' must be an object.* but is "auto" \(string\)/],
  [{ timeoutMs: -1 }, /'timeoutMs' must be a whole number.* but is -1 \(number\)/],
  [{ timeoutMs: 1.5 }, /but is 1\.5 \(number\)/],
  [{ timeoutMs: 2 ** 31 }, /from 0 to 2147483647, but is 2147483648/],
  [{ timeoutMs: '5' }, /but is "5" \(string\)/],
  [{ onWarning: {} }, /'onWarning' must be a function, but is a value of type object/],
  [{ lock: 'none' }, /'lock' must be 'auto' or 'exclusive-file'/],
  [{ permissions: 'open' }, /'permissions' must be 'private' or 'keep'/],
  [{ linkedDocuments: 'a' }, /'linkedDocuments' must be a list/],
  [{ linkedDocuments: ['a', 7] }, /'linkedDocuments\[1\]' must be a document path, but is 7 \(number\)/],
  [{ other: [] }, /there is no option 'other' \(it is a value of type array\)\. The options are timeoutMs, onWarning, lock,/],
])('fileSystemBackend refuses the options %j', (options, message) => {
  expect(() => fileSystemBackend('/nowhere', options as never)).toThrow(TypeError)
  expect(() => fileSystemBackend('/nowhere', options as never)).toThrow(message)
})

it.each([
  { timeoutMs: 0, lock: 'exclusive-file', permissions: 'keep' },
  { timeoutMs: 2 ** 31 - 1, lock: 'auto', permissions: 'private', linkedDocuments: [], onWarning: () => {} },
  { timeoutMs: undefined, lock: undefined, linkedDocuments: undefined },
])('fileSystemBackend takes the options %j', (options) => {
  expect(fileSystemBackend('/nowhere', options as never)).toBeDefined()
})

describe.each(Object.entries(OTHERS))('%s', (name, [construct, message, inputs]) => {
  it.each(inputs.map((input) => [input]))('refuses %j', (input) => {
    expect(() => construct(input as never)).toThrow(new RegExp(`^${name}: `))
    expect(() => construct(input as never)).toThrow(message)
  })
})

/** The options of Hermes are declared in three places: a type, a schema, and docs/configuration.md. All must have the same names. */
type Whole = readonly unknown[] | ((...args: never[]) => unknown) | StorageBackend | ReviewQueue | MemoryProvider | ProfileSchema

/** Paths of all options that are not groups: `memory.whenFull`. */
type Leaves<T> = {
  [K in keyof T & string]-?: NonNullable<T[K]> extends Whole
    ? K
    : NonNullable<T[K]> extends object
      ? `${K}.${Leaves<NonNullable<T[K]>>}`
      : K
}[keyof T & string]

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never

/** Does not compile if an option is only in the type or only in the schema. */
const typeAndSchemaAgree: Same<Leaves<HermesHomesOptions>, Leaves<HermesHomesInput>> = true

/** Does not compile if an option is missing or does not exist. */
const OPTIONS: Record<Leaves<HermesHomesOptions>, true> = {
  storage: true,
  project: true,
  timeZone: true,
  profile: true,
  'memory.memoryEnabled': true,
  'memory.userProfileEnabled': true,
  'memory.memoryCharLimit': true,
  'memory.userCharLimit': true,
  'memory.projectCharLimit': true,
  'memory.whenFull': true,
  'memory.shared': true,
  'memory.sharedCharLimit': true,
  'memory.trustShared': true,
  'memory.provider': true,
  'memory.providerTimeoutMs': true,
  'memory.recallChars': true,
  'skills.enabled': true,
  'skills.catalog.stale': true,
  'skills.catalog.charLimit': true,
  'skills.shared': true,
  'skills.evaluate': true,
  'skills.evaluation.timeoutMs': true,
  'skills.evaluation.maxTokens': true,
  'skills.evaluation.withoutVerdict': true,
  'nudge.memoryInterval': true,
  'nudge.skillInterval': true,
  'nudge.minTurns': true,
  'review.mode': true,
  'review.start': true,
  'review.model': true,
  'review.maxInputTokens': true,
  'review.maxOutputTokens': true,
  'review.maxSkillOutputTokens': true,
  'review.timeoutMs': true,
  'review.maxProposals': true,
  'review.budget': true,
  'review.maxTokensPerDay': true,
  'review.queue': true,
  'curator.enabled': true,
  'curator.intervalHours': true,
  'curator.minIdleHours': true,
  'curator.staleAfterDays': true,
  'curator.archiveAfterDays': true,
  'curator.neverActive': true,
  'curator.countBy': true,
  'curator.backup.enabled': true,
  'curator.backup.retainWeeks': true,
  'curator.backup.maxBytes': true,
  'curator.backup.maxFileBytes': true,
  'curator.consolidate': true,
  'curator.model': true,
  trust: true,
  gate: true,
  trustedTools: true,
  'sessions.retainDays': true,
  'sessions.keepText': true,
  'sessions.loadTimeoutMs': true,
  'sessions.maxBlockChars': true,
  'journal.retainDays': true,
  actor: true,
  background: true,
  onEvent: true,
  clock: true,
  createId: true,
  'homes.maxOpen': true,
  'homes.idleMinutes': true,
}

/** First cells of the option tables of `createHermes` and `createHermesHomes`. */
const documented = (): readonly string[] => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/configuration.md'), 'utf8')
  const [, options = ''] = page.split('## `createHermes(options)`')
  const [tables = ''] = options.split('\n## Events')
  return tables
    .split('| option | default | what |')
    .slice(1)
    .flatMap((table) => [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name))
}

describe('the options of createHermes and createHermesHomes', () => {
  it('are the same in their type and in their schema', () => {
    expect(typeAndSchemaAgree).toBe(true)
  })

  it('are all documented, and nothing else is', () => {
    expect([...documented()].sort()).toEqual(Object.keys(OPTIONS).sort())
  })

  it('have the same defaults, whether a group is left out or empty', () => {
    const storage = inMemoryBackend()
    const groups = ['memory', 'skills', 'nudge', 'review', 'curator', 'sessions', 'journal', 'homes'] as const
    const empty = Object.fromEntries(groups.map((group) => [group, {}]))
    const resolved = resolveHomesOptions({ storage })
    expect(resolveHomesOptions({ storage, ...empty })).toEqual(resolved)
    expect(resolveHomesOptions({ storage, ...empty, skills: { catalog: {} }, curator: { backup: {} } })).toEqual(resolved)
    expect(resolved.sessions.maxBlockChars).toBe(2 * (2_200 + 1_375 + 8_000))
    expect(resolved.homes).toEqual({ maxOpen: 1_000, idleMinutes: 15 })
    expect(resolved.curator.backup).toEqual({ enabled: true, retainWeeks: 4, maxBytes: 268_435_456, maxFileBytes: 16_777_216 })
  })

  it('leave room for headings and a memory provider if all limits are small', () => {
    const small = { memory: { memoryCharLimit: 10, userCharLimit: 10 }, skills: { catalog: { charLimit: 0 } } }
    expect(resolveHomesOptions({ storage: inMemoryBackend(), ...small }).sessions.maxBlockChars).toBe(8_000)
  })

  it.each([0, -1, 1.5, Number.NaN, '100'])('refuse %j as the limit of the frozen text', (maxBlockChars) => {
    const options = { storage: inMemoryBackend(), sessions: { maxBlockChars: maxBlockChars as number } }
    expect(() => resolveHomesOptions(options)).toThrow(/'sessions\.maxBlockChars'/)
  })
})
