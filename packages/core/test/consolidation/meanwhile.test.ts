/** Concurrent changes during the model call or just before the update of a merge. */

import { describe, expect, it } from 'vitest'
import { ok } from '../../src/shared/result.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { unwrap, write } from '../support/skill-library.ts'
import { asYaml, CREATE, consolidate, type Library, living, openLibrary, reportOf, skillFiles, TRIAGE } from './library.ts'

const whileThinking = (act: () => Promise<unknown>) => async () => {
  await act()
  return ok(asYaml(CREATE))
}

describe('while the model thinks', () => {
  it.each<[string, (library: Library) => Promise<unknown>, RegExp]>([
    ['changes a skill', ({ skills }) => skills.patch('pr-triage-stale', { oldText: '60', newText: '61' }), /changed or moved/],
    ['pins one', ({ usage }) => usage.pin('pr-triage-stale'), /pinned/],
    ['puts one away', ({ skills }) => skills.archive('pr-triage-stale', { reason: 'mine' }), /changed or moved|gone/],
    [
      'takes the name of the umbrella',
      ({ skills, storage }) =>
        skills.create({ name: 'pr-triage', content: '---\nname: pr-triage\ndescription: Mine.\n---\n\nMine.\n' }).then(() => storage),
      /There is a skill 'pr-triage' by now/,
    ],
  ])('somebody %s: then nothing is merged', async (_, act, wanted) => {
    const library = await openLibrary()
    const report = await reportOf(
      library,
      whileThinking(() => act(library)),
    )
    expect(report.consolidated).toEqual([])
    expect(report.refused.map(({ why }) => why).join(' ')).toMatch(wanted)
    expect(await living(library)).toContain('pr-triage-labels')
  })

  it('somebody uses one: it is still merged, and its count stays', async () => {
    const library = await openLibrary()
    const report = await reportOf(
      library,
      whileThinking(() => library.usage.record('pr-triage-stale', 'use')),
    )
    expect(report.consolidated).toHaveLength(2)
    expect(await library.usage.get('pr-triage-stale')).toMatchObject({ state: 'archived', useCount: 1 })
  })
})

describe('between the last look and the update', () => {
  const run = async (act: (library: Library) => Promise<unknown>) => {
    const inner = inMemoryBackend()
    const library = await openLibrary(TRIAGE, inner)
    let isDone = false
    const storage: StorageBackend = {
      ...inner,
      update: async (paths, plan, options) => {
        if (!isDone && paths.includes('skills/pr-triage/SKILL.md')) {
          isDone = true
          await act(library)
        }
        return inner.update(paths, plan, options)
      },
    }
    const before = await skillFiles(inner)
    const { outcome } = await consolidate({ ...library, storage }, async () => ok(asYaml(CREATE)))
    expect(isDone).toBe(true)
    return { library, before, report: unwrap(outcome) }
  }

  it('a changed file of a skill keeps all of them as they are', async () => {
    for (const [path, text] of [
      ['skills/pr-triage-labels/SKILL.md', '---\nname: pr-triage-labels\ndescription: New.\n---\n\nNew.\n'],
      ['skills/pr-triage-labels/references/labels.md', 'New labels.\n'],
    ] as const) {
      const { library, before, report } = await run(({ storage }) => write(storage, { [path]: text }))
      expect(report).toMatchObject({ consolidated: [], created: [], refused: [{ why: expect.stringContaining('changed') }] })
      expect(await skillFiles(library.storage)).toEqual({ ...before, [path]: text })
    }
  })

  it('a skill with the name of the umbrella, in another folder, keeps all of them as they are', async () => {
    const { before, library, report } = await run(({ storage }) =>
      write(storage, { 'skills/other/triage/SKILL.md': '---\nname: pr-triage\ndescription: Mine.\n---\n\nMine.\n' }),
    )
    expect(report).toMatchObject({ consolidated: [], created: [], refused: [{}] })
    expect(await living(library)).toEqual(['pr-triage', 'pr-triage-labels', 'pr-triage-stale', 'write-haiku'])
    expect(await skillFiles(library.storage)).toMatchObject(before)
  })
})
