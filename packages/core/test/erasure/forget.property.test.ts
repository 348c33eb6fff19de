/** For any text anywhere in a home: afterwards only documents that the receipt names contain it, and all other documents are unchanged. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { openAt, put, START, unwrap } from './fill-home.ts'

const aWord = fc.string({ unit: fc.constantFrom(...'abcdxyzÄéßñ東京🎉-'), minLength: 1, maxLength: 7 })
const aMarker = fc
  .array(fc.string({ unit: fc.constantFrom(...'QWKÖåş7🦓"\\'), minLength: 3, maxLength: 8 }), { minLength: 1, maxLength: 3 })
  .map((words) => words.join(' '))

const written = [
  (marker: string) => marker,
  (marker: string) => marker.toLowerCase(),
  (marker: string) => marker.normalize('NFD'),
  (marker: string) => marker.replaceAll(' ', '\n'),
]

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const KINDS: Readonly<Record<string, (texts: readonly string[]) => string>> = {
  'memories/MEMORY.md': (texts) => texts.join('\n§\n'),
  'memories/USER.md': (texts) => texts.join('\r\n§\r\n'),
  'memories/MEMORY.md.bak.17': (texts) => texts.join('\n§\n'),
  'memories/.archive.jsonl': ([text = '', reason = '']) => {
    const dates = { firstSeenAt: 0, lastConfirmedAt: 0, forgottenAt: 1 }
    return `${JSON.stringify({ id: 'memory-0123456789abcdef', target: 'memory', text, reason, origin: 'user', ...dates })}\n`
  },
  'memories/.facts.jsonl': (texts) =>
    texts.map((entry) => `${JSON.stringify({ target: 'user', entry, origin: 'user', firstSeenAt: 0, lastConfirmedAt: 0 })}\n`).join(''),
  'journal/2026-01-01.jsonl': (texts) =>
    texts.map((text, at) => `${JSON.stringify({ id: `d${at}`, at, actor: 'review', kind: 'rejected', reason: text })}\n`).join(''),
  'journal/2026-01-02.jsonl': (texts) =>
    texts
      .map(
        (text, at) =>
          `${JSON.stringify({ id: `a${at}`, at, actor: 'host', kind: 'applied', reason: 'r', op: { action: 'add', content: text } })}\n`,
      )
      .join(''),
  'pending/memory/0123.json': ([text = '']) =>
    json({
      id: '0123',
      at: 1,
      target: 'memory',
      reason: 'r',
      rationale: 'r',
      score: 1,
      evidence: [],
      ops: [{ action: 'add', content: text }],
    }),
  'sessions/one.json': (texts) =>
    json({
      version: 1,
      id: 'one',
      createdAt: 1,
      updatedAt: 1,
      block: texts.join('\n§\n'),
      userTurns: 1,
      turnsSinceReview: 1,
      iterationsSinceReview: 0,
      turnOpen: false,
      unread: texts.map((text) => ({ messages: [{ role: 'user', text }] })),
    }),
  'sessions/.unreadable/17-two.json': (texts) => `{"torn": ${texts.join(' ')}`,
  'skills/.archive/old/SKILL.md': (texts) => `---\nname: old\n---\n${texts.join('\n')}`,
  'skills/live/SKILL.md': (texts) => `---\nname: live\n---\n${texts.join('\n')}`,
  'logs/curator/1/REPORT.md': (texts) => texts.join('\n'),
  'logs/curator/1/run.json': (texts) => json({ notes: texts }),
  'config.yaml': (texts) => texts.map((text) => `# ${text.replace(/\s+/g, ' ')}`).join('\n'),
}

const aDocument = fc.record({
  path: fc.constantFrom(...Object.keys(KINDS)),
  texts: fc.array(fc.record({ words: fc.array(aWord, { maxLength: 4 }), as: fc.option(fc.nat(written.length - 1), { freq: 1 }) }), {
    minLength: 1,
    maxLength: 4,
  }),
})

const treeOf = async (storage: StorageBackend): Promise<ReadonlyMap<string, string>> => {
  const tree = new Map<string, string>()
  for (const { path } of unwrap(await storage.list('')))
    tree.set(path, new TextDecoder('utf-8', { ignoreBOM: true }).decode(unwrap(await readDocument(storage, path))?.bytes))
  return tree
}

/** A simple reference for the comparison: folds case, Unicode form and spaces, and unescapes JSON. */
const plain = (text: string): string => text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ')
const holds = (text: string, marker: string): boolean =>
  [text, text.replace(/\\n/g, ' ').replace(/\\(["\\])/g, '$1')].some((each) => plain(each).includes(plain(marker)))

it('is gone, or named', async () => {
  await fc.assert(
    fc.asyncProperty(aMarker, fc.uniqueArray(aDocument, { selector: ({ path }) => path, maxLength: 10 }), async (marker, documents) => {
      const storage = inMemoryBackend()
      for (const { path, texts } of documents) {
        const full = texts.map(
          ({ words, as }) => [...words, ...(as === null ? [] : [written[as]?.(marker) ?? '']), ...words].join(' ') || 'x',
        )
        await put(storage, path, KINDS[path]?.(full) ?? '')
      }
      const before = await treeOf(storage)
      const told = unwrap(await openAt(storage, START).forget(marker, { dryRun: true }))
      expect(await treeOf(storage)).toEqual(before)
      const receipt = unwrap(await openAt(storage, START).forget(marker))
      expect({ ...told, at: 0, dryRun: false }).toEqual({ ...receipt, at: 0 })
      const after = await treeOf(storage)
      const named = new Set(receipt.remaining.map(({ path }) => path))
      for (const [path, text] of after) expect([path, holds(text, marker) && !named.has(path)]).toEqual([path, false])
      for (const path of named) expect(path).toMatch(/^(skills\/live|config)/)
      for (const [path, text] of before) if (!holds(text, marker)) expect([path, after.get(path)]).toEqual([path, text])
      const again = unwrap(await openAt(storage, START + 1).forget(marker))
      expect([Object.values(again.erased).every((count) => count === 0), again.remaining]).toEqual([true, receipt.remaining])
    }),
    { numRuns: rounds(100), seed: 7 },
  )
})
