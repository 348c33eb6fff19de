import { manualClock } from '@hermes/testing'
import { unpackTar } from 'modern-tar'
import { describe, expect, it } from 'vitest'
import { createSkillBackup } from '../../test/support/open-curator.ts'
import { remove, skillText, unwrap, write } from '../../test/support/skill-library.ts'
import { sha256Of } from '../shared/sha256.ts'
import { SkillStore } from '../skills/skill-store.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { moveDocuments, readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { SkillBackup } from './backup-manifest.ts'
import { listBackups, openBackup } from './backups.ts'

const START = Date.UTC(2026, 4, 16, 10, 30, 5)

const open = (storage: StorageBackend = inMemoryBackend()) => {
  const clock = manualClock(START)
  const backUp = (options: Partial<Parameters<typeof createSkillBackup>[0]> = {}) =>
    createSkillBackup({ storage, clock, reason: 'manual', ...options })
  return { clock, storage, backUp }
}

const LIBRARY = {
  'skills/.archive/old/SKILL.md': skillText('old'),
  'skills/.bundled_manifest': '',
  'skills/.curator_state': '{}',
  'skills/.usage.json': '{}',
  'skills/deploy/SKILL.md': skillText('deploy'),
  'skills/deploy/assets/yarn.lock': 'kept',
  'skills/ops/ünïcode/SKILL.md': skillText('ünïcode', 'Ärger vermeiden 🙂'),
}

describe('a backup of the library', () => {
  it('is a tar.gz of every document, beside a manifest with the hash of each', async () => {
    const { storage, backUp } = open()
    await write(storage, LIBRARY)
    const backup = unwrap(await backUp({ reason: ' before the clean-up ' }))

    expect(backup).toMatchObject({
      id: '2026-05-16T10-30-05Z',
      createdAt: START,
      reason: 'before the clean-up',
      archive: 'curator/backups/2026-05-16T10-30-05Z_curator.tar.gz',
      skillCount: 2,
      leftOut: [],
    })
    expect(backup.files.map(({ path }) => path)).toEqual(Object.keys(LIBRARY))
    const archive = unwrap(await readDocument(storage, backup.archive))?.bytes ?? new Uint8Array()
    expect([archive.length, await sha256Of(archive)]).toEqual([backup.archiveBytes, backup.archiveSha256])
    const tar = new Response(new Blob([new Uint8Array(archive)]).stream().pipeThrough(new DecompressionStream('gzip')))
    const members = await unpackTar(await tar.arrayBuffer(), { strict: true })
    const texts = members.map(({ header, data }) => [header.name, new TextDecoder().decode(data)])
    expect(Object.fromEntries(texts)).toEqual(LIBRARY)
    expect(members.map(({ header }) => header.mode)).toEqual(members.map(() => 0o600))
    expect(unwrap(await listBackups(storage)).backups).toEqual([backup])
  })

  it('leaves out other snapshots, the hub, version control, packages, caches and locks', async () => {
    const { storage, backUp } = open()
    await write(storage, {
      'skills/.curator_backups/x/skills.tar.gz': '',
      'skills/.hub/lock.json': '',
      'curator/managed.json': '{}',
      'skills/.git/HEAD': '',
      'skills/.locks/curator-run': '',
      'skills/.any.lock': '',
      'skills/deploy/.git/HEAD': '',
      'skills/deploy/node_modules/a/SKILL.md': '',
      'skills/deploy/.venv/b': '',
      'skills/deploy/scripts/__pycache__/c': '',
      'skills/deploy/SKILL.md': skillText('deploy'),
    })
    unwrap(await backUp())
    expect(unwrap(await backUp()).files.map(({ path }) => path)).toEqual(['skills/deploy/SKILL.md'])
  })

  it('contains every skill that the library lists, whatever folder it is in', async () => {
    const { storage, backUp } = open()
    const folders = ['.cache', 'node_modules', '.git', '.hub', '.github', 'venv', '.notes', 'ops']
    await write(storage, Object.fromEntries(folders.map((folder, index) => [`skills/${folder}/tool-${index}/SKILL.md`, skillText('tool')])))
    const { skills } = unwrap(await new SkillStore({ storage }).list())
    expect(skills.map(({ path }) => path).sort()).toEqual(['.notes/tool-6', 'ops/tool-7'])
    const { files, skillCount } = unwrap(await backUp())
    expect(skillCount).toBe(2)
    expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(skills.map(({ path }) => `skills/${path}/SKILL.md`)))
  })

  it('takes the next number if its second has a backup, finished or not', async () => {
    const { storage, backUp } = open()
    unwrap(await backUp())
    await write(storage, { 'curator/backups/2026-05-16T10-30-05Z-2_curator.tar.gz': 'the rest of an interrupted one' })
    expect(unwrap(await backUp()).id).toBe('2026-05-16T10-30-05Z-3')
    const both = await Promise.all([backUp(), backUp()])
    expect(both.map((backup) => unwrap(backup).id).sort()).toEqual(['2026-05-16T10-30-05Z-4', '2026-05-16T10-30-05Z-5'])
  })

  it('holds names and files of any length that a document may have', async () => {
    const { storage, backUp } = open()
    const deep = `skills/${'ä'.repeat(120)}/${'b'.repeat(200)}/${'c'.repeat(99)}/SKILL.md`
    await write(storage, { [deep]: skillText('deep'), 'skills/a/SKILL.md': '', 'skills/a/assets/x': 'y'.repeat(100_000) })
    const backup = unwrap(await backUp())
    const { contents } = unwrap(await openBackup(storage, backup))
    expect([...contents.keys()].sort()).toEqual([deep, 'skills/a/SKILL.md', 'skills/a/assets/x'].sort())
  })

  it('names what is too large, and never goes without a skill', async () => {
    const { storage, backUp } = open()
    await write(storage, { ...LIBRARY, 'skills/deploy/assets/big.bin': 'x'.repeat(3000) })
    const { leftOut, files } = unwrap(await backUp({ maxFileBytes: 2000 }))
    expect(leftOut).toEqual([{ path: 'skills/deploy/assets/big.bin', size: 3000, why: 'file too large' }])
    expect(files).toHaveLength(Object.keys(LIBRARY).length)
    expect(unwrap(await backUp({ maxBytes: 1000 })).leftOut).toMatchObject([{ why: 'backup full' }])

    const refused = await backUp({ maxBytes: 60 })
    expect(refused).toMatchObject({ ok: false, error: { code: 'over_limit' } })
    expect(await backUp({ maxFileBytes: 10 })).toMatchObject({ ok: false, error: { code: 'over_limit' } })
    expect(unwrap(await listBackups(storage))).toMatchObject({ problems: [] })
  })

  it('looks again if a skill was moved into the archive while it was reading', async () => {
    const inner = inMemoryBackend()
    await write(inner, { 'skills/a/SKILL.md': skillText('a'), 'skills/b/SKILL.md': skillText('b') })
    let hasMoved = false
    const { backUp } = open({
      ...inner,
      read: async (paths) => {
        if (paths.includes('skills/a/SKILL.md') && !hasMoved) {
          hasMoved = true
          unwrap(await moveDocuments(inner, 'skills/b', 'skills/.archive/b'))
        }
        // Reads of the same batch happen after the move.
        await Promise.resolve()
        return inner.read(paths)
      },
    })
    const { files } = unwrap(await backUp())
    expect(files.map(({ path }) => path)).toEqual(['skills/.archive/b/SKILL.md', 'skills/a/SKILL.md'])
  })

  it('names a document that nobody may read, and ends if the storage fails', async () => {
    const inner = inMemoryBackend()
    await write(inner, LIBRARY)
    const { HermesError } = await import('../shared/hermes-error.ts')
    const failing = (code: 'unreadable' | 'io'): StorageBackend => ({
      ...inner,
      read: async (paths) => {
        const cut = await inner.read(paths)
        const document = (path: string) => {
          if (path.endsWith('yarn.lock')) throw new HermesError(code, 'No.')
          return unwrap(cut).document(path)
        }
        return cut.ok ? { ok: true, value: { ...cut.value, document } } : cut
      },
    })
    expect(unwrap(await open(failing('unreadable')).backUp()).leftOut).toMatchObject([
      { path: 'skills/deploy/assets/yarn.lock', why: 'unreadable' },
    ])
    expect(await open(failing('io')).backUp()).toMatchObject({ ok: false, error: { code: 'io' } })
  })
})

describe('the list of backups', () => {
  it('shows the newest first', async () => {
    const { clock, storage, backUp } = open()
    for (let index = 0; index < 11; index++) unwrap(await backUp())
    clock.advance(1000)
    unwrap(await backUp())
    const ids = unwrap(await listBackups(storage)).backups.map(({ id }) => id)
    expect(ids.slice(0, 3)).toEqual(['2026-05-16T10-30-06Z', '2026-05-16T10-30-05Z-11', '2026-05-16T10-30-05Z-10'])
  })

  it('shows none that is broken, and says what is wrong with it', async () => {
    const { clock, storage, backUp } = open()
    await write(storage, LIBRARY)
    const made: SkillBackup[] = []
    for (let index = 0; index < 5; index++) {
      made.push(unwrap(await backUp()))
      clock.advance(1000)
    }
    const [whole, cut, headless, unreadable, foreign] = made
    if (!whole || !cut || !headless || !unreadable || !foreign) throw new Error('Five were made.')
    const manifestOf = ({ archive }: { archive: string }) => archive.replace('.tar.gz', '.json')
    unwrap(await updateDocument(storage, cut.archive, (current) => current?.bytes.slice(0, 100)))
    await remove(storage, headless.archive)
    await write(storage, { [manifestOf(unreadable)]: '{', [manifestOf(foreign)]: JSON.stringify(whole) })
    await write(storage, {
      'curator/backups/2026-05-01T00-00-00Z_curator.tar.gz': 'interrupted',
      'curator/backups/notes.json': '{}',
      'skills/.curator_backups/2026-05-01T00-00-00Z/manifest.json': '{}',
    })
    const { backups, problems } = unwrap(await listBackups(storage))
    expect(backups.map(({ id }) => id)).toEqual([whole.id])
    expect(problems.map(({ details }) => details['id'])).toEqual([cut.id, headless.id, unreadable.id, foreign.id, '2026-05-01T00-00-00Z'])
    expect(problems.map(({ message }) => message).join('\n')).toMatch(
      /100 bytes.*\n.*is gone.*\n.*not JSON.*\n.*another backup.*\n.*no manifest/s,
    )
  })
})
