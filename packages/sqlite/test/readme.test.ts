/** The examples of the README do what it says, against the built package. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { sqliteBackend } from '../src/sqlite-backend.ts'
import { textAt, unwrap } from './support/entries.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const PACKAGE = join(import.meta.dirname, '..')
const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8')

it('runs the example, whose file holds the memory, and backs it up', async () => {
  const folder = temporaryFolder()
  const [, example = ''] = /^```ts\n([\s\S]*?)^```/m.exec(readme) ?? []
  const code = example.replace("'hermes.db'", JSON.stringify(join(folder, 'hermes.db')))
  expect(code).not.toBe(example)
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { cwd: PACKAGE, encoding: 'utf8' })
  expect(printed).toContain('Prefers tabs.')

  const [, statement = ''] = /sqlite3 hermes\.db "(.*)"/.exec(readme) ?? []
  const database = new DatabaseSync(join(folder, 'hermes.db'))
  database.exec(statement.replace('backup.db', join(folder, 'backup.db')))
  database.close()
  const backup = sqliteBackend(join(folder, 'backup.db'))
  const [memory] = unwrap(await backup.list('')).filter(({ path }) => path.endsWith('memories/USER.md'))
  expect(await textAt(backup, memory?.path ?? '')).toContain('Prefers tabs.')
  await backup.close()
})
