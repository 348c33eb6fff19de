/** Concurrent changes during the model call or between two writes of a merge. */

import { describe, expect, it } from 'vitest'
import { ok } from '../../src/shared/result.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { movedFrom } from '../support/calls.ts'
import { textAt, unwrap, write } from '../support/skill-library.ts'
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
      /answer|taken|already|exists/i,
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
    expect(await textAt(library.storage, 'curator/backups/.merge.json')).toBeUndefined()
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

/** Runs `act` once, right before the first move into the archive. */
const beforeFirstMove = (inner: StorageBackend, act: () => Promise<unknown>): StorageBackend => {
  let isDone = false
  return {
    ...inner,
    update: async (paths, plan, options) => {
      if (!isDone && paths.length === 1 && movedFrom(paths) === 'skills') {
        isDone = true
        await act()
      }
      return inner.update(paths, plan, options)
    },
  }
}

describe('between the last look and the move', () => {
  const run = async (act: (storage: StorageBackend, library: Library) => Promise<unknown>) => {
    const inner = inMemoryBackend()
    const library = await openLibrary(TRIAGE, inner)
    const storage = beforeFirstMove(inner, () => act(inner, library))
    return { library, report: unwrap((await consolidate({ ...library, storage }, async () => ok(asYaml(CREATE)))).outcome) }
  }

  it('a changed skill comes back from the archive, with the change', async () => {
    for (const [path, text] of [
      ['skills/pr-triage-labels/SKILL.md', '---\nname: pr-triage-labels\ndescription: New.\n---\n\nNew.\n'],
      ['skills/pr-triage-labels/references/labels.md', 'New labels.\n'],
    ] as const) {
      const { library, report } = await run((storage) => write(storage, { [path]: text }))
      expect(report.consolidated.map(({ name }) => name)).toEqual(['pr-triage-stale'])
      expect(report.refused).toMatchObject([{ names: ['pr-triage-labels'], why: expect.stringContaining('changed') }])
      expect(await living(library)).toEqual(['pr-triage', 'pr-triage-labels', 'write-haiku'])
      expect((await skillFiles(library.storage))[path]).toBe(text)
      expect(await library.usage.get('pr-triage-labels')).toMatchObject({ state: 'active', misjudgements: 0 })
    }
  })

  it('a pinned skill comes back from the archive', async () => {
    const { library, report } = await run((_, { usage }) => usage.pin('pr-triage-labels'))
    expect(report.consolidated.map(({ name }) => name)).toEqual(['pr-triage-stale'])
    expect(await library.usage.get('pr-triage-labels')).toMatchObject({ state: 'active', pinned: true })
    expect(await living(library)).toContain('pr-triage-labels')
  })

  it('if every skill comes back, the new umbrella is taken back too', async () => {
    const { library, report } = await run(async (_, { usage }) => {
      await usage.pin('pr-triage-labels')
      await usage.pin('pr-triage-stale')
    })
    expect(report).toMatchObject({ consolidated: [], created: [] })
    expect(await living(library)).toEqual(['pr-triage-labels', 'pr-triage-stale', 'write-haiku'])
  })
})
