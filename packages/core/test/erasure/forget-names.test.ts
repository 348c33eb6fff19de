/** Names that contain the text: names of the library are ignored, names of skills and sessions are reported. */

import { describe, expect, it } from 'vitest'
import { listBackups, openBackup } from '../../src/curator/backups.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument, updateDocument } from '../../src/storage/one-document.ts'
import { user } from '../session/open-home.ts'
import { createSkillBackup } from '../support/open-curator.ts'
import { fillHome, openAt, put, START, skillText, unwrap } from './fill-home.ts'

describe('forget', () => {
  it('does not take the folders and words of the library for the text', async () => {
    const storage = inMemoryBackend()
    await fillHome(storage, 'zebra-4411')
    for (const word of [
      'journal',
      'memories',
      'sessions',
      'pending',
      'curator',
      'SKILL.md',
      'version',
      'sha256',
      'createdAt',
      'applied',
      'erased',
    ]) {
      const { remaining } = unwrap(await openAt(storage, START).forget(word, { dryRun: true }))
      expect([word, remaining.filter(({ path }) => !path.startsWith('skills/plain'))]).toEqual([word, []])
    }
  })

  it('keeps the name of a skill, so that it can come back, and tells where it is', async () => {
    const storage = inMemoryBackend()
    const hermes = openAt(storage)
    unwrap(await hermes.skillStore().create({ name: 'zebra', content: skillText('zebra', 'Feed the zebra.') }))
    unwrap(await createSkillBackup({ storage, clock: () => START, reason: 'manual' }))
    unwrap(await hermes.skillStore().archive('zebra', { reason: 'unused' }))
    const receipt = unwrap(await hermes.forget('zebra'))
    expect(receipt.erased.archivedSkillFiles).toBeGreaterThan(0)
    expect(receipt.rewrittenBackups).toHaveLength(1)
    expect(receipt.remaining.map(({ path }) => path)).toEqual([
      expect.stringContaining('curator/backups/'),
      'skills/.archive/.manifests/zebra.json',
      'skills/.archive/zebra/SKILL.md',
    ])
    const [backup] = unwrap(await listBackups(storage)).backups
    const { contents } = unwrap(await openBackup(storage, backup!))
    expect(new TextDecoder().decode(contents.get('skills/zebra/SKILL.md')?.bytes)).toBe(
      '---\nname: zebra\ndescription: How to (erased).\n---\n\nFeed the (erased).\n',
    )
    expect(unwrap(await hermes.skillStore().restore('zebra')).skill.name).toBe('zebra')
  })

  it('tells of a session whose id holds the text', async () => {
    const storage = inMemoryBackend()
    const hermes = openAt(storage)
    hermes.session('zebra-1').recordTurn({ messages: [user('Mine is a zebra.')] })
    hermes.session('zebra-1').recordTurn({ messages: [user('And tea.')] })
    await hermes.settled()
    const { remaining, erased } = unwrap(await hermes.forget('zebra'))
    expect([erased.sessions, remaining]).toEqual([
      1,
      [{ path: 'sessions/zebra-1.json', reason: expect.stringContaining('Forget that session') }],
    ])
    expect(unwrap(await hermes.forget({ session: 'zebra-1' }))).toMatchObject({ erased: { sessions: 1 }, remaining: [] })
    expect(unwrap(await hermes.forget('zebra')).remaining).toEqual([])
  })

  it('names what it cannot search or must not rewrite, with a reason', async () => {
    const storage = inMemoryBackend()
    const bytes = new Uint8Array([0xff, 0xfe, ...new TextEncoder().encode('zebra'), 0xff])
    unwrap(await updateDocument(storage, 'memories/MEMORY.md', () => bytes))
    unwrap(await updateDocument(storage, 'notes/old.tar.gz', () => bytes))
    unwrap(await updateDocument(storage, 'state.db', () => bytes))
    await put(storage, 'config.yaml', '# zebra')
    await put(storage, 'curator/backups/.merge.json', '{"name": "zebra"}')
    const { remaining } = unwrap(await openAt(storage).forget('zebra'))
    expect(remaining.map(({ path }) => path)).toEqual([
      'config.yaml',
      'curator/backups/.merge.json',
      'memories/MEMORY.md',
      'notes/old.tar.gz',
      'state.db',
    ])
    for (const { reason } of remaining) expect(reason).toMatch(/\b(?:Edit|Repair|Delete|Let)\b/)
    expect(unwrap(await readDocument(storage, 'memories/MEMORY.md'))?.bytes).toEqual(bytes)
  })
})
