/** No path, however malicious, changes anything outside the home. */

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, sep } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { expandFolder, Home } from '../../src/storage/files/home.ts'
import { placeOf } from '../../src/storage/files/placing.ts'
import { moveDocuments, readDocument, updateDocument } from '../../src/storage/one-document.ts'
import { checkStoragePath } from '../../src/storage/storage-paths.ts'
import { codePoint } from '../support/code-point.ts'
import { filesOnDisk, temporaryFolder } from './support/temporary-home.ts'

const SEED = 20_261_121

const segment = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    '',
    '~',
    'a',
    'inside',
    'outside',
    'dangling',
    'up',
    'root',
    '.locks',
    '.hermes',
    'con',
    'C:',
    '...',
    '\u2025',
    '%2e%2e',
    '\uff0e\uff0e',
  ),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: codePoint, maxLength: 6 }),
)
const anyPath = fc
  .tuple(fc.constantFrom('', '/', '~/', './', '\\\\'), fc.array(segment, { minLength: 1, maxLength: 6 }), fc.constantFrom('/', '\\'))
  .map(([start, segments, separator]) => start + segments.join(separator))

const trapped = () => {
  const folder = temporaryFolder()
  const home = join(folder, 'home')
  const outside = join(folder, 'outside')
  mkdirSync(join(home, 'inside'), { recursive: true })
  mkdirSync(outside)
  writeFileSync(join(outside, 'a'), 'untouched')
  for (const [name, target] of [
    ['outside', outside],
    ['dangling', join(outside, 'new')],
    ['up', '..'],
    ['root', '/'],
    ['a', join(outside, 'a')],
  ] as const) {
    symlinkSync(target, join(home, name))
    symlinkSync(target, join(home, 'inside', name))
  }
  return { folder, home, outside }
}

it('resolves no path that it accepts to anything outside the home', async () => {
  const { home } = trapped()
  await fc.assert(
    fc.asyncProperty(anyPath, async (path) => {
      if (!checkStoragePath(path).ok) return
      const file = await placeOf(new Home(home), path).catch(() => undefined)
      if (file !== undefined) expect(file.startsWith(home + sep)).toBe(true)
    }),
    { seed: SEED, numRuns: rounds(2000) },
  )
})

it('changes nothing outside the home, whatever path it is given', async () => {
  const { folder, home, outside } = trapped()
  const storage = fileSystemBackend(home)
  const before = filesOnDisk(folder).filter((name) => !name.startsWith('home'))
  await fc.assert(
    fc.asyncProperty(anyPath, anyPath, async (path, other) => {
      await updateDocument(storage, path, () => new Uint8Array([1]))
      await moveDocuments(storage, path, other)
      const read = await readDocument(storage, other)
      await storage.list(path)
      expect(read.ok && read.value && new TextDecoder().decode(read.value.bytes)).not.toBe('untouched')
      expect(filesOnDisk(outside)).toEqual(['a'])
    }),
    { seed: SEED, numRuns: rounds(300) },
  )
  expect(filesOnDisk(folder).filter((name) => !name.startsWith('home'))).toEqual(before)
})

it('takes ~ for the folder of the user', () => {
  expect(expandFolder('~')).toBe(homedir())
  expect(expandFolder('~/.hermes')).toBe(join(homedir(), '.hermes'))
  expect(expandFolder('~other')).toBe(join(process.cwd(), '~other'))
})
