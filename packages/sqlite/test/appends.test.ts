/** An append does not write a long document anew, and a reader sees one document. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { sqliteBackend } from '../src/sqlite-backend.ts'
import { append, move, put, textAt, unwrap } from './support/entries.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const LONG = 2_000_000

it('writes little for an append to a long document, and folds many of them into it', async () => {
  const file = join(temporaryFolder(), 'hermes.db')
  const storage = sqliteBackend(file)
  unwrap(await put(storage, 'journal', 'x'.repeat(LONG)))
  const database = new DatabaseSync(file)
  const emptyLog = () => database.exec('pragma wal_checkpoint(truncate)')
  emptyLog()
  const stamps = new Set<string>()
  for (let time = 1; time <= 1_030; time++) {
    unwrap(await append(storage, 'journal', `${time},`))
    if (time === 100) expect(statSync(`${file}-wal`).size).toBeLessThan(LONG)
    if (time % 67 !== 0 && time < 1_020) continue
    const [info] = unwrap(await storage.list(''))
    stamps.add(info?.stamp ?? '')
    expect(info?.size).toBe((await textAt(storage, 'journal'))?.length)
  }
  expect(stamps.size).toBe(26)
  const expected = `${'x'.repeat(LONG)}${Array.from({ length: 1_030 }, (_, index) => `${index + 1},`).join('')}`
  expect((await textAt(storage, 'journal')) === expected).toBe(true)
  const rows = () => database.prepare('select count(*) as count from hermes_appends').get()?.['count']
  expect(rows()).toBe(6)

  unwrap(await move(storage, 'journal', 'moved/journal'))
  unwrap(await append(storage, 'moved/journal', 'end'))
  expect((await textAt(storage, 'moved/journal')) === `${expected}end`).toBe(true)
  unwrap(await put(storage, 'moved/journal', 'short'))
  unwrap(await append(storage, 'moved/journal', '+'))
  expect([rows(), await textAt(storage, 'moved/journal')]).toEqual([1, 'short+'])
  unwrap(await put(storage, 'moved/journal', null))
  unwrap(await append(storage, 'moved/journal', 'new'))
  expect([rows(), await textAt(storage, 'moved/journal')]).toEqual([0, 'new'])
  database.close()
  await storage.close()
})
