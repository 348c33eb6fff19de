import { expect, it } from 'vitest'
import { encodeFacts } from '../memory/facts.ts'
import { type ArchivedEntry, archivedEntryId, encodeArchived } from '../memory/memory-archive.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import { FACTS_PATH, MEMORY_ARCHIVE_PATH } from '../storage/storage-paths.ts'
import { DocumentEraser } from './erase-documents.ts'
import { createMatcher } from './text-matcher.ts'

const archived = (text: string): ArchivedEntry => ({
  id: archivedEntryId('memory', text),
  target: 'memory',
  text,
  origin: 'user',
  firstSeenAt: 1,
  lastConfirmedAt: 1,
  forgottenAt: 2,
})

const eraseFrom = async (path: string, bytes: Uint8Array, text: string, sessionId?: string) => {
  const storage = inMemoryBackend()
  await updateDocument(storage, path, () => bytes)
  const erasure = { ...createMatcher(text === '' ? [] : [text], []), texts: [text], sessionId }
  const done = await new DocumentEraser(storage, erasure).erase()
  const left = await readDocument(storage, path)
  if (!done.ok || !left.ok) throw new Error('The erasure failed.')
  return { ...done.value, left: left.value && new TextDecoder().decode(left.value.bytes) }
}

it.each([
  ['the archive', MEMORY_ARCHIVE_PATH],
  ['a day of the journal', 'journal/2026-03-01.jsonl'],
])('lets other work run while it rewrites %s', async (_, path) => {
  const entries = Array.from({ length: 3_000 }, (_, index) => archived(`likes green tea of ${index}`))
  let turns = 0
  let isDone = false
  const watch = (): void => {
    turns++
    if (!isDone) setImmediate(watch)
  }
  setImmediate(watch)
  const { left = '' } = await eraseFrom(path, encodeArchived(entries), 'green tea')
  isDone = true
  expect(left).toBe('')
  expect(turns).toBeGreaterThan(12)
})

it('removes the copy of damaged facts that holds the text or names the session, and no other', async () => {
  const records = new Map([['likes "green" tea', { origin: 'user' as const, firstSeenAt: 1, lastConfirmedAt: 1, sessionId: 's-7' }]])
  const damaged = new Uint8Array([...encodeFacts({ memory: records, user: new Map() }), ...new TextEncoder().encode('{"target"')])
  const path = `${FACTS_PATH}.damaged-2026-03-01T09-00-00-2`
  const removed = { left: undefined, erased: { memoryCopies: 1 }, remaining: [] }
  expect(await eraseFrom(path, damaged, '"green" tea')).toMatchObject(removed)
  expect(await eraseFrom(path, damaged, '', 's-7')).toMatchObject(removed)
  expect(await eraseFrom(path, damaged, 'black coffee', 's-8')).toMatchObject({
    left: new TextDecoder().decode(damaged),
    erased: { memoryCopies: 0 },
  })
})

it('leaves facts of which nothing is to be erased to the byte, with the lines that later ones replace', async () => {
  const line = new TextDecoder().decode(
    encodeFacts({ memory: new Map([['likes tea', { origin: 'user' as const, firstSeenAt: 1, lastConfirmedAt: 1 }]]), user: new Map() }),
  )
  const bytes = new TextEncoder().encode(line + line)
  expect(await eraseFrom(FACTS_PATH, bytes, 'black coffee')).toMatchObject({ left: line + line, remaining: [] })
})
