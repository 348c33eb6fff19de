/** Files and folders whose names are not valid document paths are always reported. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { moveDocuments, readDocument } from '../../src/storage/one-document.ts'
import { unwrap, write } from '../support/skill-library.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const open = () => {
  const home = temporaryFolder()
  mkdirSync(join(home, 'skills/deploy'), { recursive: true })
  return { home, folder: join(home, 'skills/deploy'), storage: fileSystemBackend(home) }
}

const garbledIn = (folder: string): Buffer => Buffer.concat([Buffer.from(`${folder}/`), Buffer.of(0x61, 0xff, 0xfe)])

it('lists them as what they are, beside the documents, under names of no document', async () => {
  const { folder, storage } = open()
  await write(storage, { 'skills/deploy/SKILL.md': 'x', 'skills/deploy/a%5Cb': 'a document', 'skills/deploy/really \ufffd': 'another' })
  for (const name of ['a\\b', 'line\nfeed', '10:30']) writeFileSync(join(folder, name), 'x')
  mkdirSync(join(folder, 'sub\tfolder'))
  writeFileSync(join(folder, 'sub\tfolder', 'inside'), 'x')
  writeFileSync(garbledIn(folder), 'x')
  const listed = unwrap(await storage.list('skills')).map(({ path, unreadable }) => [path, unreadable])
  expect(listed).toEqual([
    ['skills/deploy/10%3A30', 'unnamed-file'],
    ['skills/deploy/SKILL.md', undefined],
    ['skills/deploy/a%5Cb', undefined],
    ['skills/deploy/a%5Cb~2', 'unnamed-file'],
    ['skills/deploy/a\ufffd\ufffd', 'unnamed-file'],
    ['skills/deploy/line%0Afeed', 'unnamed-file'],
    ['skills/deploy/really \ufffd', undefined],
    ['skills/deploy/sub%09folder', 'unnamed-folder'],
  ])
  expect(await readDocument(storage, 'skills/deploy/a%5Cb~2')).toEqual({ ok: true, value: undefined })
})

it('names a folder whose own name is garbled', async () => {
  const { folder, storage } = open()
  mkdirSync(garbledIn(folder))
  expect(unwrap(await storage.list('skills'))).toMatchObject([{ path: 'skills/deploy/a\ufffd\ufffd', unreadable: 'unnamed-folder' }])
})

it('moves them along with their folder, and never moves another onto them', async () => {
  const { home, folder, storage } = open()
  writeFileSync(join(folder, 'a\\b'), 'kept')
  await write(storage, { 'skills/other/SKILL.md': 'x' })
  expect(await moveDocuments(storage, 'skills/other', 'skills/deploy')).toMatchObject({ ok: false, error: { code: 'occupied' } })
  await write(storage, { 'skills/deploy/SKILL.md': 'x' })
  expect((await moveDocuments(storage, 'skills/deploy', 'skills/.archive/deploy')).ok).toBe(true)
  expect(readFileSync(join(home, 'skills/.archive/deploy/a\\b'), 'utf8')).toBe('kept')
  expect(readdirSync(join(home, 'skills')).sort()).toEqual(['.archive', 'other'])
})
