/**
 * Files that are larger or more deeply nested than any that Hermes writes are refused with the limit, and the rest of the home still works.
 */
import { describe, expect, test } from 'vitest'
import { SkillStore } from '../src/skills/skill-store.ts'
import { inMemoryBackend } from '../src/storage/in-memory.ts'
import type { StorageBackend } from '../src/storage/storage-backend.ts'
import { UsageStore } from '../src/usage/usage-store.ts'
import { openHome } from './session/open-home.ts'
import { skillText, textAt, unwrap, write } from './support/skill-library.ts'

const MIB = 1_048_576

const withSoundSkill = async (documents: Readonly<Record<string, string>>): Promise<StorageBackend> => {
  const storage = inMemoryBackend()
  await write(storage, { 'skills/sound/SKILL.md': skillText('sound'), ...documents })
  return storage
}

const problemsOf = (events: ReturnType<typeof openHome>['events']) =>
  events.flatMap((event) => (event.type === 'storage-failed' ? [event.error.message] : []))

describe('a SKILL.md of a million lines of front matter', () => {
  const giant = `---\nname: giant\n${'key: value\n'.repeat(1_000_000)}---\nbody\n`

  test('is not a skill but a problem with the limit, and is not even read for a list', async () => {
    const storage = await withSoundSkill({ 'skills/giant/SKILL.md': giant })
    const reads: string[] = []
    const store = new SkillStore({
      storage: {
        ...storage,
        read: (paths) => {
          reads.push(...paths)
          return storage.read(paths)
        },
      },
    })
    const { skills, problems } = unwrap(await store.list())
    expect(skills.map(({ name }) => name)).toEqual(['sound'])
    expect(problems).toMatchObject([
      { code: 'unreadable', message: expect.stringContaining(`${MIB} bytes`), details: { path: 'skills/giant/SKILL.md' } },
    ])
    expect(reads).toEqual(['skills/sound/SKILL.md'])
  })
})

test('a file of a skill that is larger than any may be is not read but named with its size', async () => {
  const storage = await withSoundSkill({ 'skills/sound/references/log.txt': 'x'.repeat(MIB + 1) })
  const viewed = await new SkillStore({ storage }).view('sound', 'references/log.txt')
  expect(viewed).toMatchObject({ ok: false, error: { code: 'over_limit', message: expect.stringContaining(`${MIB} bytes`) } })
})

describe.each([
  ['nested without end', `{"sound": ${'['.repeat(100_000)}`],
  ['of half a million values', `{"sound": [${'0,'.repeat(500_000)}0]}`],
])('a usage sidecar %s', (_, sidecar) => {
  test('reads as empty with a problem that names the limit, and lifecycle changes refuse', async () => {
    const storage = await withSoundSkill({ 'skills/.usage.json': sidecar })
    const problems: string[] = []
    const usage = new UsageStore({ storage, onProblem: ({ message }) => problems.push(message) })
    expect((await usage.all()).size).toBe(0)
    expect(problems).toEqual([expect.stringMatching(/nested deeper than 64 levels|more than 400000 values/)])
    expect(await usage.pin('sound')).toMatchObject({ ok: false, error: { code: 'unreadable' } })
    expect(await textAt(storage, 'skills/.usage.json')).toBe(sidecar)
  })
})

test.each([
  ['curator/managed.json', `{"grants": ${'['.repeat(100_000)}`, 'deeper than 64 levels'],
  ['curator/managed.json', `{"grants": [${'0,'.repeat(60_000)}0]}`, 'more than 50000 values'],
  ['curator/managed.json', `{"grants": [], "note": "${'x'.repeat(4 * MIB)}"}`, `${4 * MIB} bytes`],
  ['skills/.hub/lock.json', `{"installed": ${'{"a":'.repeat(100_000)}`, 'deeper than 64 levels'],
  ['skills/.bundled_manifest', 'a:b\n'.repeat(MIB), `${MIB} bytes`],
])('a %s beyond a limit stops what would decide by it, with the limit', async (path, content, limit) => {
  const { hermes } = openHome(await withSoundSkill({ [path]: content }))
  const run = await hermes.curator.run()
  expect(JSON.stringify(run.ok ? run.value : run.error.message)).toContain(limit)
  expect(unwrap(await hermes.skillStore().list()).skills).toHaveLength(1)
})

test('a session record beyond a limit is put aside, and the session starts again', async () => {
  const storage = await withSoundSkill({ 'sessions/a.json': `{"version": 1, "id": "a", "turns": ${'['.repeat(100_000)}` })
  const { hermes, events } = openHome(storage)
  const session = hermes.session('a')
  expect(session.offerTools().length).toBeGreaterThan(1)
  expect(await session.systemBlock()).toContain('- sound')
  await hermes.settled()
  expect(problemsOf(events).join('\n')).toContain('deeper than 64 levels')
  expect(unwrap(await storage.list('sessions/.unreadable'))).toHaveLength(1)
})
