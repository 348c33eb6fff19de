import { describe, expect, it } from 'vitest'
import { openCurator } from '../../test/support/open-curator.ts'
import type { ArchivedSkill } from '../skills/archive.ts'
import { SkillStore } from '../skills/skill-store.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import { UsageStore } from '../usage/usage-store.ts'
import { prunableEntries } from './prune.ts'

const DAY = 86_400_000
const NOW = 1_000 * DAY

const textOf = (name: string) => `---\nname: ${name}\ndescription: How to ${name}.\n---\n\nDo it.\n`

const openLibrary = async () => {
  const storage = inMemoryBackend()
  const skills = new SkillStore({ storage, clock: () => NOW })
  const usage = new UsageStore({ storage, clock: () => NOW })
  const put = async (name: string, at: number) => {
    await skills.create({ name, content: textOf(name) })
    await usage.record(name, 'create', { createdBy: 'agent' })
    await skills.writeFile(name, 'references/a.md', '# A\n')
    const archived = await skills.archive(name, { reason: 'unused', at })
    if (!archived.ok) throw archived.error
    return archived.value
  }
  const paths = async () => {
    const listed = await storage.list('skills/.archive')
    return listed.ok ? listed.value.map(({ path }) => path) : []
  }
  const prune = (entries: readonly ArchivedSkill[]) => openCurator({ storage, clock: () => NOW }).prune(entries)
  return { storage, skills, usage, put, paths, prune }
}

describe('prunableEntries', () => {
  it('counts whole days since the archiving, ninety if nothing is said', async () => {
    const { skills, put } = await openLibrary()
    const old = await put('old', NOW - 90 * DAY)
    await put('younger', NOW - 90 * DAY + 1)
    const listed = await skills.listArchived()
    expect(listed.ok && prunableEntries(listed.value.entries, { now: NOW })).toEqual([expect.objectContaining({ id: old.id })])
    expect(listed.ok && prunableEntries(listed.value.entries, { now: NOW, olderThanDays: 1 })).toHaveLength(2)
  })

  it('never takes what was archived at an unknown time', async () => {
    const { storage, skills } = await openLibrary()
    await updateDocument(storage, 'skills/.archive/by-hand/SKILL.md', () => new TextEncoder().encode(textOf('by-hand')))
    const listed = await skills.listArchived()
    expect(listed.ok && listed.value.entries).toHaveLength(1)
    expect(listed.ok && prunableEntries(listed.value.entries, { now: NOW, olderThanDays: 0 })).toEqual([])
  })
})

describe('prune', () => {
  it('deletes the folder, its manifest and the usage record, and nothing else', async () => {
    const { skills, usage, put, paths, prune } = await openLibrary()
    const gone = await put('gone', 1)
    const kept = await put('kept', 2)
    expect(await prune([gone])).toMatchObject({
      ok: true,
      value: { removed: [{ id: gone.id }], backupId: expect.any(String) },
    })
    expect((await paths()).every((path) => path.includes(kept.path))).toBe(true)
    expect([...(await usage.all()).keys()]).toEqual(['kept'])
    expect(await skills.restore('kept')).toMatchObject({ ok: true })
  })

  it('keeps the usage record while a skill of that name lives', async () => {
    const { skills, usage, put, prune } = await openLibrary()
    const entry = await put('deploy', 1)
    await skills.create({ name: 'deploy', content: textOf('deploy') })
    await prune([entry])
    expect([...(await usage.all()).keys()]).toEqual(['deploy'])
    expect(await skills.view('deploy')).toMatchObject({ ok: true })
  })

  it('leaves alone what was restored after the person was asked', async () => {
    const { skills, put, prune } = await openLibrary()
    const entry = await put('deploy', 1)
    await skills.restore('deploy')
    expect(await prune([entry])).toMatchObject({ ok: true, value: { removed: [] } })
    expect(await skills.view('deploy', 'references/a.md')).toMatchObject({ ok: true, value: { content: '# A\n' } })
  })

  it('deletes what is listed, not a path that the caller names', async () => {
    const { storage, skills, put, prune } = await openLibrary()
    const gone = await put('gone', 1)
    const kept = await put('kept', 2)
    expect(await prune([{ ...gone, path: kept.path }])).toMatchObject({ ok: true, value: { removed: [gone] } })
    await prune([{ ...gone, path: '..' }])
    expect(await skills.restore('kept')).toMatchObject({ ok: true })
    expect(await readDocument(storage, `skills/.archive/${gone.path}/SKILL.md`)).toEqual({ ok: true, value: undefined })
  })

  it('keeps an archived skill that is inside the folder of another', async () => {
    const { storage, skills, prune } = await openLibrary()
    for (const path of ['outer', 'outer/inner'])
      await updateDocument(storage, `skills/.archive/${path}/SKILL.md`, () => new TextEncoder().encode(textOf(path.replace('/', '-'))))
    const listed = await skills.listArchived()
    const outer = listed.ok ? listed.value.entries.filter(({ path }) => path === 'outer') : []
    expect(await prune(outer)).toMatchObject({ ok: true, value: { removed: outer } })
    expect(await skills.listArchived()).toMatchObject({ value: { entries: [{ path: 'outer/inner' }] } })
    expect(await readDocument(storage, 'skills/.archive/outer/SKILL.md')).toEqual({ ok: true, value: undefined })
  })

  it.each(['skills/.usage.json', 'skills/.usage-corrupt/a.json'])('refuses while the usage records cannot be read: %s', async (path) => {
    const { storage, put, paths, prune } = await openLibrary()
    const entry = await put('gone', 1)
    await updateDocument(storage, path, () => new TextEncoder().encode('not JSON'))
    const before = await paths()
    expect(await prune([entry])).toMatchObject({ ok: false, error: { code: 'unreadable' } })
    expect(await paths()).toEqual(before)
  })

  it('deletes nothing too large for the backup, and says so', async () => {
    const { storage, put, paths, prune } = await openLibrary()
    const entry = await put('gone', 1)
    const file = `skills/.archive/${entry.path}/assets/big.bin`
    await updateDocument(storage, file, () => new Uint8Array(16 * 1024 * 1024 + 1))
    const before = await paths()
    const message = expect.stringMatching(/^Nothing was deleted.*big\.bin.*Move it away/)
    expect(await prune([entry])).toMatchObject({ ok: false, error: { code: 'over_limit', message } })
    expect(await paths()).toEqual(before)
  })
})
