/** `hermes migrate` of the built command beside an app with packages of its own. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { NO_SERVER, serverOrNone } from '../../postgres/test/support/postgres-server.ts'
import { copyOfCommand, runCopy } from './copied-command.ts'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))

const server = await serverOrNone()
afterAll(() => server.remove())

const tablesIn = async (schema: string): Promise<readonly string[]> => {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  const { rows } = await client.query('select tablename from pg_tables where schemaname = $1 order by 1', [schema])
  await client.end()
  return rows.map(({ tablename }) => tablename)
}

it.skipIf(server === NO_SERVER)("hermes migrate uses the project's own packages, and says what to install without them", async () => {
  const folder = copyOfCommand()
  const packages = join(folder, 'app/node_modules')
  const missing = await runCopy(folder, server.url, ['--print'])
  expect(missing.code).toBe(1)
  expect(missing.output).toContain('@hermes/postgres is installed neither in this folder nor beside the command.')
  expect(missing.output).toContain('npm install @hermes/postgres\n')
  expect((await runCopy(folder, server.url, [])).output).toContain('npm install @hermes/postgres pg\n')

  symlinkSync(join(PACKAGE, 'node_modules/@hermes/postgres'), join(packages, '@hermes/postgres'))
  expect((await runCopy(folder, server.url, ['--print'])).output).toContain('create table if not exists "hermes".hermes_documents')
  const withoutClient = await runCopy(folder, server.url, [])
  expect(withoutClient.output).toContain('pg is installed neither in this folder nor beside the command.')

  symlinkSync(join(PACKAGE, 'node_modules/pg'), join(packages, 'pg'))
  expect(await runCopy(folder, server.url, ['--schema', 'of_project'])).toMatchObject({ code: 0 })
  expect(await tablesIn('of_project')).toContain('hermes_documents')
})
