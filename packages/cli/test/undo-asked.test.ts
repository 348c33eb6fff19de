import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runAtTerminal } from './run-at-terminal.ts'
import { runHermes, temporaryHome } from './run-hermes.ts'

/** Runs `hermes undo` at a terminal: `meanwhile` happens while it asks, and then the person agrees. */
const undoAsked = async (home: string, meanwhile: () => Promise<unknown>) => {
  let isAsked = false
  const { code } = await runAtTerminal(['undo', '--home', home], async (shown) => {
    if (isAsked || !shown.includes('Undo it?')) return undefined
    isAsked = true
    await meanwhile()
    return 'y'
  })
  return code
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
