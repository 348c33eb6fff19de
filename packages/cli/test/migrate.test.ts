import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { IS_LONG_RUN } from '../../../scripts/support/rounds.ts'
import { NO_SERVER, serverOrNone } from '../../postgres/test/support/postgres-server.ts'
import { copyOfCommand, runCopy } from './copied-command.ts'
import { runHermes } from './run-hermes.ts'

const PASSWORD = 'hunter2'
const WIDE = { COLUMNS: '300' }

const URL_OF_NOTHING = `postgres://me:${PASSWORD}@127.0.0.1/app`

describe('hermes migrate', () => {
  it('refuses wrong usage, without the password of an address among the words', async () => {
    for (const [args, message] of [
      [[URL_OF_NOTHING], 'postgres://me:[hidden]@127.0.0.1/app'],
      [['--print', '--database', URL_OF_NOTHING], 'leave out --database'],
      [['--database', URL_OF_NOTHING, '--database', URL_OF_NOTHING], 'more than once'],
      [['--database', 'not an address'], '--database must be an address'],
      [['--user', 'ada', '--print'], 'leave out --user'],
      [['--print', '--schema', 'a b'], "'a b' cannot be the schema of Hermes"],
    ] as const) {
      const { code, stdout, stderr } = await runHermes(['migrate', ...args], { env: WIDE })
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain(message)
      expect(stderr).not.toContain(PASSWORD)
    }
  })
})

describe('the built command', () => {
  it('says so if the installed package is broken', async () => {
    const folder = copyOfCommand()
    const broken = join(folder, 'app/node_modules/@hermes/postgres')
    mkdirSync(broken)
    writeFileSync(join(broken, 'index.js'), "throw new Error('half installed')")
    const { code, output } = await runCopy(folder, URL_OF_NOTHING, ['--print'])
    expect(code).toBe(1)
    expect(output).toContain('@hermes/postgres is installed but could not be loaded: half installed. Install it again: npm install')
  })
})

if (IS_LONG_RUN) {
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
}
