import { manualClock } from '@hermes/testing'
import fc from 'fast-check'
import { packTar, type TarEntry, unpackTar } from 'modern-tar'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { createSkillBackup, rollback } from '../../test/support/open-curator.ts'
import { libraryOf, remove, skillText, unwrap, write } from '../../test/support/skill-library.ts'
import { sha256Of } from '../shared/sha256.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { archivePath, type SkillBackup } from './backup-manifest.ts'
import { listBackups, openBackup, resolveBackup } from './backups.ts'

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

describe('backup archive', () => {
  const SKILL = 'skills/deploy/SKILL.md'
  const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

  const gzip = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
    new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer())

  const open = async () => {
    const clock = manualClock(Date.UTC(2026, 4, 16, 10))
    const storage = inMemoryBackend()
    await write(storage, { [SKILL]: skillText('deploy', 'Then. '.repeat(200)), 'skills/deploy/references/a.md': 'reference' })
    const backup = unwrap(await createSkillBackup({ storage, clock, reason: 'manual' }))
    const archive = unwrap(await readDocument(storage, backup.archive))?.bytes ?? new Uint8Array()
    await write(storage, { [SKILL]: skillText('deploy', 'Now.') })
    clock.advance(60_000)
    return { storage, clock, backup, archive }
  }

  /** Nothing is moved, and no safety snapshot is taken. */
  const expectRefused = async ({ storage, clock, backup }: Awaited<ReturnType<typeof open>>): Promise<string> => {
    const before = await libraryOf(storage)
    const count = unwrap(await storage.list('curator/backups')).length
    const refused = await rollback({ storage, clock, target: backup.id })
    expect(await libraryOf(storage)).toEqual(before)
    expect(unwrap(await storage.list('curator/backups'))).toHaveLength(count)
    if (refused.ok) throw new Error('The rollback was not refused.')
    return refused.error.message
  }

  describe('a damaged archive is refused with nothing moved', () => {
    it('cut off at any twentieth of its length', async () => {
      const world = await open()
      for (let part = 0; part < 20; part++) {
        const cut = world.archive.slice(0, Math.floor((world.archive.length * part) / 20))
        unwrap(await updateDocument(world.storage, world.backup.archive, () => cut))
        await expectRefused(world)
      }
    })

    it('with any bit of it changed', async () => {
      const world = await open()
      await fc.assert(
        fc.asyncProperty(fc.nat(world.archive.length - 1), fc.nat(7), async (index, bit) => {
          const changed = world.archive.slice()
          changed[index] = (changed[index] ?? 0) ^ (1 << bit)
          unwrap(await updateDocument(world.storage, world.backup.archive, () => changed))
          await expectRefused(world)
        }),
        { numRuns: rounds(60), seed: 16 },
      )
    })

    it('with any bit of its manifest changed, unless that changes no fact', async () => {
      const world = await open()
      const path = world.backup.archive.replace('.tar.gz', '.json')
      const manifest = unwrap(await readDocument(world.storage, path))?.bytes ?? new Uint8Array()
      await fc.assert(
        fc.asyncProperty(fc.nat(manifest.length - 1), fc.nat(7), async (index, bit) => {
          const changed = manifest.slice()
          changed[index] = (changed[index] ?? 0) ^ (1 << bit)
          unwrap(await updateDocument(world.storage, path, () => changed))
          const [listed] = unwrap(await listBackups(world.storage)).backups
          if (!listed || !(await openBackup(world.storage, listed)).ok) return
          expect([listed.files, listed.archive, listed.archiveSha256]).toEqual([
            world.backup.files,
            world.backup.archive,
            world.backup.archiveSha256,
          ])
        }),
        { numRuns: rounds(200), seed: 17 },
      )
    })
  })

  it('is unpacked in the order of its members, however long each takes', async () => {
    const clock = manualClock(Date.UTC(2026, 4, 16, 10))
    const storage = inMemoryBackend()
    await write(storage, { 'skills/a/SKILL.md': skillText('a', 'Long. '.repeat(1_500_000)), 'skills/b/SKILL.md': skillText('b') })
    const backup = unwrap(await createSkillBackup({ storage, clock, reason: 'manual' }))
    const { contents } = unwrap(await openBackup(storage, backup))
    expect([...contents.keys()]).toEqual(['skills/a/SKILL.md', 'skills/b/SKILL.md'])
  })

  describe('an archive that was made up, with a manifest that vouches for it, is refused', () => {
    const header = { name: SKILL, size: 4, type: 'file' as const, mtime: new Date(0) }
    const own: TarEntry = { header, body: 'made' }
    const named = (name: string): TarEntry => ({ header: { ...header, name }, body: 'made' })

    const refuse = async (
      entries: readonly TarEntry[],
      files?: readonly { path: string; size: number; sha256: string }[],
    ): Promise<string> => {
      const world = await open()
      const archive = await gzip(await packTar(entries))
      const manifest: SkillBackup = {
        ...world.backup,
        archiveBytes: archive.length,
        archiveSha256: await sha256Of(archive),
        files: files ?? [{ path: SKILL, size: 4, sha256: await sha256Of(bytesOf('made')) }],
      }
      unwrap(await updateDocument(world.storage, world.backup.archive, () => archive))
      await write(world.storage, { [world.backup.archive.replace('.tar.gz', '.json')]: JSON.stringify(manifest) })
      return expectRefused(world)
    }

    it.each(['/etc/passwd', '../outside', 'skills/../../outside', 'memories/MEMORY.md', 'curator/backups/x', 'C:\\x'])(
      'for a member called %s',
      async (name) => {
        expect(await refuse([own, named(name)])).toContain('not listed in its manifest')
        const vouched = [{ path: name, size: 4, sha256: await sha256Of(bytesOf('made')) }]
        // Such a manifest is not valid: the archive is not read.
        expect(await refuse([named(name)], vouched)).toContain('not a document of the library')
      },
    )

    it.each(['symlink', 'link', 'character-device', 'block-device', 'fifo', 'directory'] as const)(
      'for a member that is a %s',
      async (type) => {
        const entry: TarEntry = { header: { name: SKILL, size: 0, type, linkname: '/etc/passwd', mtime: new Date(0) } }
        expect(await refuse([entry])).toContain('is not a regular file')
      },
    )

    it('for a member that is there twice', async () => {
      expect(await refuse([own, own])).toContain('twice')
    })

    it('for a member that is missing or has other bytes', async () => {
      expect(await refuse([])).toContain('is missing')
      expect(await refuse([{ header, body: 'fake' }])).toContain('has changed since the backup')
      expect(await refuse([{ header: { ...header, size: 5 }, body: 'made!' }])).toContain('5 bytes instead of 4')
    })

    it('by the size that its manifest declares, before any of it is unpacked', async () => {
      const files = Array.from({ length: 3 }, (_, index) => ({ path: `skills/a/${index}`, size: 2 ** 30, sha256: '0'.repeat(64) }))
      expect(await refuse([own], files)).toContain(`declares ${3 * 2 ** 30} bytes, but at most 536870912 are unpacked`)
    })

    it('before it unpacks to far more than it should', async () => {
      const bomb = new Uint8Array(8 * 1024 * 1024)
      expect(await refuse([{ header: { ...header, size: bomb.length }, body: bomb }])).toContain('more than its manifest says')
    })
  })
})

const backup = (id: string): SkillBackup => ({
  id,
  createdAt: 0,
  reason: 'manual',
  archive: archivePath(id),
  archiveBytes: 0,
  archiveSha256: '',
  skillCount: 0,
  files: [],
  leftOut: [],
})

const NEWEST_FIRST = ['2026-05-17T08-00-00Z', '2026-05-16T23-59-59Z-2', '2026-05-16T23-59-59Z', '2026-05-16T10-00-00Z'].map(backup)

const idOf = (target?: string): string => {
  const found = resolveBackup(NEWEST_FIRST, target)
  return found.ok ? found.value.id : found.error.code
}

describe('which backup is meant', () => {
  it('is the newest if nothing is said', () => {
    expect(idOf()).toBe('2026-05-17T08-00-00Z')
  })

  it('is the newest of a day', () => {
    expect(idOf('2026-05-16')).toBe('2026-05-16T23-59-59Z-2')
    expect(idOf(' 2026-05-17 ')).toBe('2026-05-17T08-00-00Z')
  })

  it('is the one of an id, also as its file is called', () => {
    expect(idOf('2026-05-16T23-59-59Z')).toBe('2026-05-16T23-59-59Z')
    expect(idOf('2026-05-16T10-00-00Z_curator.tar.gz')).toBe('2026-05-16T10-00-00Z')
  })

  it('is the only one with that beginning', () => {
    expect(idOf('2026-05-16T10')).toBe('2026-05-16T10-00-00Z')
  })

  it('is not guessed', () => {
    expect(idOf('2026-05')).toBe('ambiguous')
    expect(idOf('2026-05-15')).toBe('not_found')
    expect(idOf('16.05.2026')).toBe('not_found')
    expect(idOf('')).toBe('not_found')
    expect(resolveBackup([], '2026-05-16')).toMatchObject({ ok: false, error: { message: expect.stringContaining('no backup yet') } })
  })
})
