/** The types of a profile are those of its schema, for schemas of three libraries and a home without one. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript-5'
import { afterAll, expect, it } from 'vitest'

const CORE = fileURLToPath(new URL('../packages/core', import.meta.url))
const app = mkdtempSync(join(tmpdir(), 'hermes-profile-types-'))
mkdirSync(join(app, 'node_modules/@hermes'), { recursive: true })
symlinkSync(CORE, join(app, 'node_modules/@hermes/core'))
symlinkSync(join(CORE, 'node_modules/zod'), join(app, 'node_modules/zod'))

afterAll(() => rmSync(app, { recursive: true, force: true }))

const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
}

const START = `
import { createHermes, createHermesHomes, type Hermes, inMemoryBackend, type ProfileSchema } from '@hermes/core'
import * as z from 'zod'
import * as mini from 'zod/mini'
import * as v3 from 'zod/v3'
const storage = inMemoryBackend()
const diets = ['vegan', 'none'] as const
const hermes = createHermes({ storage, profile: z.object({ name: z.string(), diet: z.enum(diets).optional() }) })
const read = async <P,>(home: Hermes<P>) => { const known = await home.profile.read(); if (!known.ok) throw known.error; return known.value }
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const known = await read(hermes)
`

const faults = (lines: string): readonly string[] => {
  const path = join(app, 'main.mts')
  writeFileSync(path, START + lines)
  return ts
    .getPreEmitDiagnostics(ts.createProgram([path], OPTIONS))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

it('are those of the schema', () => {
  const lines = `
const name: string | undefined = known.name
const isExact: Same<typeof known.diet, 'vegan' | 'none' | undefined> = true
await hermes.profile.write({ diet: undefined, name: 'Ann' }, { by: 'user' })
const small = createHermes({ storage, profile: mini.object({ age: mini.number() }) })
const age: Same<Awaited<ReturnType<typeof read<{ age: number }>>>['age'], number | undefined> = true
const years: number | undefined = (await read(small)).age
const old = createHermes({ storage, profile: v3.z.object({ city: v3.z.string() }) })
const city: string | undefined = (await read(old)).city
const homes = createHermesHomes({ storage, profile: z.object({ name: z.string() }) })
const ofAnn: string | undefined = (await read(homes.for('ann'))).name
const none: unknown = (await read(createHermes({ storage })))['name']
// An adapter takes any home.
const any: Hermes = hermes
const byHand: ProfileSchema<{ readonly n: number }> = { '~standard': { version: 1, vendor: 'me', validate: (value) => ({ value }) } }
const n: number | undefined = (await read(createHermes({ storage, profile: byHand }))).n
export { name, isExact, age, years, city, ofAnn, none, any, n }`
  expect(faults(lines)).toEqual([])
}, 60_000)

it('refuse another name, another value, another field and what is no schema', () => {
  const lines = [
    'known.nmae',
    "await hermes.profile.write({ diet: 'keto' })",
    'await hermes.profile.write({ age: 3 })',
    "createHermes({ storage, profile: { name: 'string' } })",
  ]
  expect(faults(lines.join('\n'))).toEqual([
    expect.stringMatching(/'nmae' does not exist/),
    expect.stringMatching(/"keto"' is not assignable/),
    expect.stringMatching(/'age' does not exist/),
    expect.stringMatching(/'name' does not exist in type 'ProfileSchema/),
  ])
}, 60_000)
