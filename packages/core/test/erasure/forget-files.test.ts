/** Texts in files of other programs and of skills: escaped, as keys, and next to words that have a meaning in the library's own formats. */

import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { openBackup, readManifest } from '../../src/curator/backups.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { longestHold } from '../support/longest-hold.ts'
import { createSkillBackup } from '../support/open-curator.ts'
import { openAt, put, START, skillText, unwrap } from './fill-home.ts'

const decode = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes)

const textsInBackup = async (storage: StorageBackend, id: string): Promise<Readonly<Record<string, string>>> => {
  const opened = unwrap(await openBackup(storage, unwrap(await readManifest(storage, id))))
  return Object.fromEntries([...opened.contents].map(([path, { bytes }]) => [path, decode(bytes)]))
}

/** A live and an archived skill, both with the files, and a backup of both. */
const withSkills = async (files: Readonly<Record<string, string>>) => {
  const storage = inMemoryBackend()
  const hermes = openAt(storage)
  for (const name of ['used', 'away']) {
    unwrap(await hermes.skillStore().create({ name, content: skillText(name, 'Nothing of it.') }))
    for (const [file, text] of Object.entries(files)) await put(storage, `skills/${name}/references/${file}`, text)
  }
  const { id } = unwrap(await createSkillBackup({ storage, clock: () => START, reason: 'manual' }))
  unwrap(await hermes.skillStore().archive('away', { reason: 'old' }))
  return { storage, hermes, id }
}

describe('forget', () => {
  it('cuts JSON of a skill as text, in the archive and in a backup: no key of it and no word is of the format', async () => {
    const files = {
      'kind.json': '{"kind": "Calle Mayor 5", "n": 12345678901234567890}',
      'key.json': '{"Calle Mayor 5": true}',
      'name.json': '{"name": "Calle Mayor 5", "why": "Calle Mayor 5"}',
    }
    const { storage, hermes, id } = await withSkills(files)
    const receipt = unwrap(await hermes.forget('Calle Mayor 5'))
    expect(receipt.remaining.map(({ path }) => path)).toEqual(
      Object.keys(files)
        .sort()
        .map((file) => `skills/used/references/${file}`),
    )
    const backup = await textsInBackup(storage, id)
    for (const [file, text] of Object.entries(files)) {
      const expected = text.replaceAll('Calle Mayor 5', '(erased)')
      expect(decode(unwrap(await readDocument(storage, `skills/.archive/away/references/${file}`))?.bytes)).toBe(expected)
      for (const name of ['used', 'away']) expect(backup[`skills/${name}/references/${file}`]).toBe(expected)
    }
  })

  it('does not look into packages that are installed in the home, but into folders that only end like theirs', async () => {
    const { storage, hermes } = await withSkills({})
    for (const path of ['node_modules/a/LICENSE', 'node_modules/.package-lock.json', 'notes/node_modules/a.txt', 'node_modules.txt'])
      await put(storage, path, 'Calle Mayor 5')
    const read: string[] = []
    const watched = openAt({
      ...storage,
      read: (paths) => {
        read.push(...paths)
        return storage.read(paths)
      },
    })
    const receipt = unwrap(await watched.forget('Calle Mayor 5'))
    expect(receipt.remaining.map(({ path }) => path)).toEqual(['node_modules.txt', 'notes/node_modules/a.txt'])
    expect(read.filter((path) => path.startsWith('node_modules/'))).toEqual([])
    await hermes.close()
  })

  it('erases what Python Hermes keeps of memory and of skill files, and leaves its other lines and files', async () => {
    const storage = inMemoryBackend()
    const line = (text: string) => `${JSON.stringify({ target: 'user', entry: text, evidence: text })}\n`
    const other = line('Drinks tea')
    for (const path of ['memories/ARCHIVE.jsonl', 'skills/.curator_ledger.jsonl'])
      await put(storage, path, `${line('Lives at Calle Mayor 5')}${other}`)
    await put(storage, '.curator_backups/blobs/ab/abc1', '{"kind": "Calle Mayor 5"}')
    await put(storage, '.curator_backups/blobs/ab/abc2', 'Drinks tea')
    await put(storage, 'skills/.curator_backups/2026-05-01T00-00-00Z/manifest.json', 'Calle Mayor 5')
    const { erased, remaining } = unwrap(await openAt(storage).forget('calle mayor 5'))
    expect(erased).toMatchObject({ archivedEntries: 1, otherDocuments: 2 })
    expect(remaining).toEqual([
      { path: 'skills/.curator_backups/2026-05-01T00-00-00Z/manifest.json', reason: expect.stringContaining('Python Hermes') },
    ])
    for (const path of ['memories/ARCHIVE.jsonl', 'skills/.curator_ledger.jsonl'])
      expect(decode(unwrap(await readDocument(storage, path))?.bytes)).toBe(other)
    expect(unwrap(await storage.list('.curator_backups')).map(({ path }) => path)).toEqual(['.curator_backups/blobs/ab/abc2'])
  })

  it('holds the process at no time while it looks through a large backup', async () => {
    const files = Object.fromEntries(Array.from({ length: rounds(120) }, (_, at) => [`${at}.md`, `${at} Ünd `.repeat(12_000)]))
    const { hermes } = await withSkills(files)
    expect(await longestHold(async () => unwrap(await hermes.forget('Calle Mayor 5')))).toBeLessThan(100)
  })
})
