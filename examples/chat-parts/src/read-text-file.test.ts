import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MAX_FILE_BYTES, readTextFile } from './read-text-file.ts'

let outer = ''
let folder = ''

beforeAll(() => {
  outer = mkdtempSync(join(tmpdir(), 'hermes-read-'))
  folder = join(outer, 'work')
  mkdirSync(join(folder, 'docs'), { recursive: true })
  writeFileSync(join(outer, 'outside.txt'), 'outside')
  writeFileSync(join(folder, 'docs', 'notes.md'), '# Notes\n')
  writeFileSync(join(folder, 'full.txt'), 'x'.repeat(MAX_FILE_BYTES))
  writeFileSync(join(folder, 'large.txt'), 'x'.repeat(MAX_FILE_BYTES + 1))
  writeFileSync(join(folder, 'picture.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff]))
  writeFileSync(join(folder, 'nul.txt'), 'a\0b')
  for (const name of ['.env', '.env.local', '.env.example', 'server.key', 'id_rsa', '.npmrc']) writeFileSync(join(folder, name), 'KEY=1')
  mkdirSync(join(folder, '.ssh'))
  writeFileSync(join(folder, '.ssh', 'config'), 'Host a')
  symlinkSync(join(outer, 'outside.txt'), join(folder, 'link.txt'))
  symlinkSync(outer, join(folder, 'up'))
  symlinkSync(join(folder, 'docs'), join(folder, 'documents'))
})

afterAll(() => rmSync(outer, { recursive: true, force: true }))

it('reads a text file below the folder, up to the limit', async () => {
  expect(await readTextFile(folder, 'docs/notes.md')).toEqual({ text: '# Notes\n' })
  expect(await readTextFile(folder, './docs/../docs/notes.md')).toEqual({ text: '# Notes\n' })
  expect(await readTextFile(folder, 'full.txt')).toMatchObject({ text: expect.stringMatching(/^x+$/) })
  expect(await readTextFile(folder, '.env.example')).toEqual({ text: 'KEY=1' })
})

const refused: readonly (readonly [string, RegExp])[] = [
  ['../outside.txt', /only files below/],
  ['docs/../../outside.txt', /only files below/],
  ['/etc/passwd', /only files below/],
  ['link.txt', /is a link/],
  ['up/outside.txt', /is a link/],
  ['documents/notes.md', /is a link/],
  ['large.txt', /it has 65 KiB, and at most 64 are read/],
  ['picture.png', /it is not text/],
  ['nul.txt', /it is not text/],
  ['docs', /it is not a file/],
  ['missing.md', /there is no such file/],
  ['docs/notes.md/more', /there is no such file/],
  ['.env', /keys or passwords/],
  ['.env.local', /keys or passwords/],
  ['server.key', /keys or passwords/],
  ['id_rsa', /keys or passwords/],
  ['.npmrc', /keys or passwords/],
  ['.ssh/config', /keys or passwords/],
  ['a\0b', /reading failed/],
]

it.each(refused)('does not read %s, and says why', async (path, why) => {
  const read = await readTextFile(folder, path)
  expect(read).toEqual({ problem: expect.stringMatching(why) })
  expect(JSON.stringify(read)).not.toMatch(/"text"|KEY=1|outside"/)
})

it('says so if the folder is gone', async () => {
  expect(await readTextFile(join(outer, 'nowhere'), 'a.md')).toEqual({ problem: "'a.md' is not read: there is no such file." })
})
