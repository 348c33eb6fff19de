/** Wrong input of a constructor fails at once, with a message that names the constructor and shows what to pass. */
import { describe, expect, it } from 'vitest'
import { createHermes } from '../src/create-hermes.ts'
import { createHermesHomes } from '../src/create-hermes-homes.ts'
import { everyGate, evidenceGate, scoreThresholdGate } from '../src/gate/gates.ts'
import { createJournal } from '../src/journal/journal.ts'
import { createPending } from '../src/journal/pending.ts'
import { MemoryStore } from '../src/memory/memory-store.ts'
import { modelProposer } from '../src/review/propose/model-proposer.ts'
import { SkillStore } from '../src/skills/skill-store.ts'
import { fileSystemBackend } from '../src/storage/files/file-backend.ts'
import { skillsFolder } from '../src/storage/files/skills-folder.ts'
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

describe.each(Object.entries(OTHERS))('%s', (name, [construct, message, inputs]) => {
  it.each(inputs.map((input) => [input]))('refuses %j', (input) => {
    expect(() => construct(input as never)).toThrow(new RegExp(`^${name}: `))
    expect(() => construct(input as never)).toThrow(message)
  })
})
