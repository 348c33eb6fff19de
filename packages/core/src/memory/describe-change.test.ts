import { expect, it } from 'vitest'
import { describeChange } from './describe-change.ts'

const NONE = { added: 0, replaced: 0, removed: 0, writes: true, evicted: [] }

it.each([
  [{ ...NONE, added: 1 }, 0, 'MEMORY.md: added 1 entry.'],
  [{ ...NONE, added: 2, replaced: 1, removed: 3 }, 0, 'MEMORY.md: added 2 entries, replaced 1 entry, removed 3 entries.'],
  [{ ...NONE, writes: false }, 100, 'MEMORY.md holds this already; nothing changed.'],
  [
    { ...NONE, removed: 1, backupPath: 'memories/copy' },
    0,
    "MEMORY.md: removed 1 entry. White space around its entries was tidied; the file as it was is at 'memories/copy'.",
  ],
  [{ ...NONE, added: 1, evicted: ['a'] }, 100, 'MEMORY.md: added 1 entry. 1 older entry was moved to the archive to make room.'],
  [{ ...NONE, added: 1, evicted: ['a', 'b'] }, 100, 'MEMORY.md: added 1 entry. 2 older entries were moved to the archive to make room.'],
  [{ ...NONE, added: 1 }, 89, 'MEMORY.md: added 1 entry.'],
  [
    { ...NONE, added: 1 },
    90,
    'MEMORY.md: added 1 entry. The store is nearly full: merge related entries or remove stale ones before adding more.',
  ],
])('%j, with %i of 100 characters used', (change, usedChars, text) => {
  expect(describeChange('memory', change, usedChars, 100)).toBe(text)
})

it('calls no empty store full, whatever its limit', () => {
  expect(describeChange('memory', { ...NONE, removed: 1 }, 0, 0)).toBe('MEMORY.md: removed 1 entry.')
})
