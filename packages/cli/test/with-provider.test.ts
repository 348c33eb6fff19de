import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { IS_LONG_RUN } from '../../../scripts/support/rounds.ts'
import { runHermes, runJson, spawnHermes, temporaryHome, writeHome } from './run-hermes.ts'

/** Writes each hook that is called, with its home, to a file that the options name. */
const SPY = `
import { appendFileSync } from 'node:fs'
export default ({ options }) => ({
  name: 'spy',
  initialize: ({ folder }) => {
    const tell = (hook, what) => appendFileSync(options.calls, JSON.stringify({ folder, hook, ...what }) + '\\n')
    tell('initialize', { level: options.level })
    return {
      onMemoryWrite: async ({ added, target }) => tell('onMemoryWrite', { added, target }),
      forget: async ({ kind, text, dryRun }) => (tell('forget', { kind, text, dryRun }), 2),
      shutdown: async () => tell('shutdown', {}),
    }
  },
})
`

/** Not in the home, because what is to be forgotten is looked for there. */
const callsFile = (home: string): string => `${home}.calls`

const spiedHome = (): string => {
  const home = temporaryHome()
  onTestFinished(() => rmSync(callsFile(home), { force: true }))
  writeHome(home, {
    'spy.mjs': SPY,
    'config.yaml': `memory: { provider: ./spy.mjs, provider_options: { level: 3, calls: '${callsFile(home)}' } }\n`,
  })
  return home
}

const callsIn = (home: string): readonly Readonly<Record<string, unknown>>[] =>
  readFileSync(callsFile(home), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('a memory provider that config.yaml names', () => {
  it('is told of a write before the command ends', async () => {
    const home = spiedHome()
    expect(await runHermes(['memory', 'add', 'Deploys with Kamal', '--home', home])).toMatchObject({ code: 0, stderr: '' })
    expect(callsIn(home)).toMatchObject([
      { folder: '', hook: 'initialize', level: 3 },
      { hook: 'onMemoryWrite', added: ['Deploys with Kamal'], target: 'memory' },
      { hook: 'shutdown' },
    ])
  })

  it('gets the folder of the owner that was named', async () => {
    const home = spiedHome()
    await runHermes(['memory', 'add', 'Likes tea', '--to', 'user', '--home', home, '--user', 'Ada', '--tenant', 'acme'])
    expect(callsIn(home)).toMatchObject([{ folder: 'homes/acme/~41da' }, { hook: 'onMemoryWrite' }, { hook: 'shutdown' }])
  })

  it('erases what is to be forgotten, and its count is shown', async () => {
    const home = spiedHome()
    await runHermes(['memory', 'add', 'Lives in Calle Mayor 5', '--home', home])
    const shown = await runHermes(['forget', 'Calle Mayor', '--dry-run', '--home', home])
    expect(shown.stdout).toMatch(/memory provider +2\n/)
    expect(callsIn(home).filter(({ hook }) => hook === 'forget')).toMatchObject([{ kind: 'text', text: 'Calle Mayor', dryRun: true }])
    const erased = await runHermes(['forget', 'Calle Mayor', '--yes', '--home', home])
    expect(erased).toMatchObject({ code: 0, stdout: expect.stringMatching(/memory provider +2\n/) })
    expect(callsIn(home).filter(({ hook, dryRun }) => hook === 'forget' && dryRun === false)).toHaveLength(1)
  })

  if (IS_LONG_RUN)
    it('cannot keep a command from ending, nor hold it up for long', async () => {
      const home = temporaryHome()
      writeHome(home, {
        'hangs.mjs': `setInterval(() => {}, 1_000)
const hang = () => new Promise(() => {})
export default { name: 'hangs', initialize: () => ({ onMemoryWrite: hang, forget: hang, shutdown: hang }) }`,
        'config.yaml': 'memory: { provider: ./hangs.mjs }\n',
      })
      const started = performance.now()
      expect(await spawnHermes(['memory', 'add', 'Deploys with Kamal', '--home', home])).toMatchObject({ code: 0 })
      expect(await spawnHermes(['config', 'check', '--home', home])).toMatchObject({ code: 0 })
      expect(performance.now() - started).toBeLessThan(15_000)
      expect(await runJson(['stats', '--index', '--home', home])).toMatchObject({ code: 1 })
      const waiting = JSON.parse(readFileSync(join(home, 'provider/hangs.json'), 'utf8'))
      expect(waiting.items).toMatchObject([{ kind: 'write', added: ['Deploys with Kamal'] }])
    })

  it('is named if it cannot erase', async () => {
    const home = temporaryHome()
    writeHome(home, {
      'keeps.mjs': "export default { name: 'keeps', initialize: () => ({ syncTurn: async () => {} }) }",
      'config.yaml': 'memory: { provider: ./keeps.mjs }\n',
    })
    await runHermes(['memory', 'add', 'Lives in Calle Mayor 5', '--home', home, '--user', 'ada'])
    const forgotten = await runHermes(['forget', 'Calle Mayor', '--yes', '--home', home, '--user', 'ada'])
    expect(forgotten).toMatchObject({ code: 1, stdout: expect.stringMatching(/Remains in 1 place:\n {2}provider:keeps/) })
    const erased = await runHermes(['owners', 'erase', '--yes', '--home', home, '--user', 'ada'])
    expect(erased).toMatchObject({ code: 1, stderr: expect.stringContaining("The memory provider 'keeps' may still have data of 'ada'") })
  })

  it('is a warning if it cannot be used, and the command goes on', async () => {
    const home = temporaryHome()
    writeHome(home, { 'config.yaml': 'memory: { provider: honcho }\n' })
    const added = await runHermes(['memory', 'add', 'Deploys with Kamal', '--home', home])
    expect(added).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("warning: The memory provider 'honcho' of config.yaml is not used"),
    })
    expect((await runHermes(['memory', 'show', '--home', home])).stderr).toBe('')
    const forgotten = await runHermes(['forget', 'Kamal', '--yes', '--home', home])
    expect(forgotten).toMatchObject({ code: 0, stderr: expect.stringContaining('What it stored is not erased.') })
  })

  it('erases what it has of an owner who is erased', async () => {
    const home = spiedHome()
    await runHermes(['memory', 'add', 'Likes tea', '--home', home, '--user', 'ada'])
    expect(await runHermes(['owners', 'erase', '--user', 'ada', '--yes', '--home', home])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(", and 2 things in the memory provider 'spy'.\n"),
    })
    expect(callsIn(home)).toContainEqual(expect.objectContaining({ folder: 'homes/~none/ada', hook: 'forget', kind: 'all', dryRun: false }))
  })
})
