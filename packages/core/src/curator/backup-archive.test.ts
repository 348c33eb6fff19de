import { manualClock } from '@hermes/testing'
import fc from 'fast-check'
import { packTar, type TarEntry } from 'modern-tar'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { createSkillBackup, rollback } from '../../test/support/open-curator.ts'
import { libraryOf, skillText, unwrap, write } from '../../test/support/skill-library.ts'
import { sha256Of } from '../shared/sha256.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { SkillBackup } from './backup-manifest.ts'
import { listBackups, openBackup } from './backups.ts'

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

  it('cut off, with a manifest that was made to fit', async () => {
    const world = await open()
    for (let part = 0; part < 20; part++) {
      const cut = world.archive.slice(0, Math.floor((world.archive.length * part) / 20))
      const fitting: SkillBackup = { ...world.backup, archiveBytes: cut.length, archiveSha256: await sha256Of(cut) }
      unwrap(await updateDocument(world.storage, world.backup.archive, () => cut))
      await write(world.storage, { [world.backup.archive.replace('.tar.gz', '.json')]: JSON.stringify(fitting) })
      expect(await expectRefused(world)).toContain('cannot be used')
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
