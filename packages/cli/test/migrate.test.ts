import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
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
