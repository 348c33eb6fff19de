/** Random homes: an import restores what was exported, a second import changes nothing, and the next import finishes one that was killed. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { updateDocument } from '../../src/storage/one-document.ts'
import { skillText, unwrap } from '../support/skill-library.ts'
import { bytesOf, contentsOf, openHome } from './homes.ts'

const entry = fc
  .tuple(fc.constantFrom('The build', 'Anna', 'Port 8080', '§ sign', 'Ünï コード 🙂', 'line\nline'), fc.nat(30))
  .map(([word, number]) => `${word} ${number}`)
const target = fc.constantFrom('memory', 'user')
const name = fc.constantFrom('alpha', 'beta', 'gamma', 'delta')
const text = fc.constantFrom('Do it.', 'Do it twice.', 'Ask first.')

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      target,
      entry,
      origin: fc.constantFrom('user', 'assistant', 'tool', undefined),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), target, entry }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('create' as const), name, category: fc.constantFrom(undefined, 'ops', 'dev'), text }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('file' as const),
      name,
      file: fc.constantFrom('references/a.md', 'scripts/b.sh', 'LICENSE'),
      bytes: fc.uint8Array({ maxLength: 20 }),
      executable: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('archive' as const), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('use' as const), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 100 }) }) },
)
const steps = fc.array(step, { maxLength: 25 })

type Steps = typeof steps extends fc.Arbitrary<infer T> ? T : never

/** The stores refuse steps that make no sense, which then change nothing. */
const homeOf = async (list: Steps) => {
  const storage = inMemoryBackend()
  const home = openHome(storage)
  const { hermes, clock } = home
  for (const one of list) {
    const skills = hermes.skillStore()
    if (one.do === 'wait') clock.advance(one.hours * 3_600_000)
    else if (one.do === 'add')
      await hermes.memoryStore().apply(one.target, { action: 'add', content: one.entry }, one.origin && { origin: one.origin })
    else if (one.do === 'remove') await hermes.memoryStore().apply(one.target, { action: 'remove', oldText: one.entry }, { origin: 'user' })
    else if (one.do === 'create') {
      const made = await skills.create({ name: one.name, category: one.category, content: skillText(one.name, one.text) })
      if (made.ok) await hermes.usageStore().record(one.name, 'create', { createdBy: 'agent' })
    } else if (one.do === 'archive') await hermes.curator.archive(one.name, { reason: 'Not needed.' })
    else if (one.do === 'use') await hermes.usageStore().record(one.name, 'use')
    else {
      const found = await skills.view(one.name)
      const { bytes, executable } = one
      if (found.ok) unwrap(await updateDocument(storage, `skills/${found.value.path}/${one.file}`, () => ({ bytes, executable })))
    }
  }
  return home
}

/** Usage records of skills that never existed are not exported. */
const withoutOrphans = <T extends { readonly usage: ReadonlyMap<string, unknown>; readonly skills: Readonly<Record<string, string>> }>(
  contents: T,
) => ({
  ...contents,
  usage: new Map([...contents.usage].filter(([name]) => Object.keys(contents.skills).some((path) => path.split('/').includes(name)))),
})

describe('whatever a home holds', () => {
  it('comes into an empty home as it was, and into none twice', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const source = await homeOf(list)
        const archive = unwrap(await source.hermes.export())
        expect(unwrap(await source.hermes.export())).toEqual(archive)
        const copy = openHome()
        copy.clock.set(source.clock())
        expect(unwrap(await copy.hermes.import(archive)).refused).toEqual([])
        expect(await contentsOf(copy.hermes, copy.storage)).toEqual(withoutOrphans(await contentsOf(source.hermes, source.storage)))
        const before = await bytesOf(copy.storage)
        expect(unwrap(await copy.hermes.import(archive))).toMatchObject({ changed: false, refused: [] })
        expect(await bytesOf(copy.storage)).toEqual(before)
      }),
      { numRuns: rounds(60), seed: 20260301 },
    )
  })

  it('leaves what another home has as it is', async () => {
    await fc.assert(
      fc.asyncProperty(steps, steps, async (mine, theirs) => {
        const [target, source] = [await homeOf(mine), await homeOf(theirs)]
        const before = await contentsOf(target.hermes, target.storage)
        const report = unwrap(await target.hermes.import(unwrap(await source.hermes.export())))
        const after = await contentsOf(target.hermes, target.storage)
        expect(after.memory.slice(0, before.memory.length)).toEqual(before.memory)
        expect(after.user.slice(0, before.user.length)).toEqual(before.user)
        for (const [path, bytes] of Object.entries(before.skills)) expect([path, after.skills[path]]).toEqual([path, bytes])
        for (const [skill, record] of before.usage) expect([skill, after.usage.get(skill)]).toEqual([skill, record])
        expect(report.refused.every(({ code }) => code === 'occupied')).toBe(true)
        const bytes = await bytesOf(target.storage)
        expect(unwrap(await target.hermes.import(unwrap(await source.hermes.export()))).changed).toBe(false)
        expect(await bytesOf(target.storage)).toEqual(bytes)
      }),
      { numRuns: rounds(40), seed: 20260302 },
    )
  })
})
