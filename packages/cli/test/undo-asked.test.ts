import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { runCli } from '../src/run-cli.ts'
import { runHermes, temporaryHome } from './run-hermes.ts'

/** Runs `hermes undo` at a terminal: `meanwhile` happens while it asks, and then the person agrees. */
const undoAsked = async (home: string, meanwhile: () => Promise<unknown>) => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
  let isAsked = false
  const agree = async () => {
    await meanwhile()
    stdin.write('y')
  }
  stderr.on('data', (chunk) => {
    if (isAsked || !String(chunk).includes('Undo it?')) return
    isAsked = true
    void agree()
  })
  return runCli(['undo', '--home', home], {
    env: { TERM: 'dumb' },
    stdin,
    stdout: new PassThrough().resume(),
    stderr,
    userHome: '/no/such/home',
    createId: () => crypto.randomUUID(),
    onInterrupt: () => () => {},
    onStop: () => () => {},
    endSoon: () => {},
  })
}

it('takes an undo back, also if another program wrote while it asked', async () => {
  const home = temporaryHome()
  const call = (...args: readonly string[]) => runHermes([...args, '--home', home])
  const memory = () => readFileSync(join(home, 'memories/MEMORY.md'), 'utf8').split('\n§\n').toSorted()
  await call('memory', 'add', 'Deploys on Fridays')
  expect(await undoAsked(home, () => call('memory', 'add', 'Builds with pnpm'))).toBe(0)
  expect(memory()).toEqual(['Builds with pnpm'])
  expect(await call('undo', '--yes')).toMatchObject({ code: 0 })
  expect(memory()).toEqual(['Builds with pnpm', 'Deploys on Fridays'])
})
