import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHermes, runJson, skillText, temporaryHome, writeHome } from './run-hermes.ts'

const check = async (text: string) => {
  const home = temporaryHome()
  writeHome(home, { 'config.yaml': text })
  const [asText, asJson] = [await runHermes(['config', 'check', '--home', home]), await runJson(['config', 'check', '--home', home])]
  return { ...asText, home, told: asJson.told }
}

describe('hermes config check', () => {
  it('says what is set, and that all is well', async () => {
    const { code, stdout, home, told } = await check('curator:\n  interval_hours: 24\n')
    expect([code, stdout]).toEqual([
      0,
      `LINE  SETTING                 VALUE\n   2  curator.interval_hours  24\n\n${home}/config.yaml is valid: 1 setting.\n`,
    ])
    expect(told.value).toMatchObject({ settings: [{ line: 2, key: 'curator.interval_hours', value: 24 }], warnings: [] })
  })

  it('names what has no effect, and leaves Python Hermes its own', async () => {
    const { code, stdout } = await check('memory:\n  write_approval: true\n  nudge_intervall: 3\n')
    expect(code).toBe(0)
    expect(stdout).toContain("line 3: 'memory.nudge_intervall' has no effect: did you mean 'memory.nudge_interval'?\n")
    expect(stdout).toContain('Used only by Python Hermes: memory.write_approval.')
    expect(stdout).toContain('is valid, with 1 warning.')
  })

  it('names the keys that Hermes does not read', async () => {
    const { code, stdout, told } = await check('nudge: { memory_interval: 3 }\nfoo: 1\n')
    expect(code).toBe(0)
    expect(stdout).toContain('2 keys that Hermes does not read: nudge, foo\n')
    expect(told.value).toMatchObject({ unreadKeys: ['nudge', 'foo'], warnings: [] })
  })

  it('notices a folder of shared skills that is missing', async () => {
    const { code, stdout, home, told } = await check('skills:\n  shared:\n    - ./\n    - ./team\n')
    expect(code).toBe(0)
    expect(stdout).toContain(`line 4: 'skills.shared[1]' cannot be read: There is no folder at '${home}/team'`)
    expect(told.value).toMatchObject({ warnings: [{ line: 4, key: 'skills.shared[1]' }] })
  })

  it('says why a memory provider is not used, such as a plugin of Python Hermes', async () => {
    const { code, stdout, told } = await check('memory:\n  provider: honcho\n  provider_options: { api_key: a-key }\n')
    expect(code).toBe(0)
    expect(stdout).toContain("line 2: The memory provider 'honcho' of config.yaml is not used: no package 'honcho' is installed")
    expect(stdout).toMatch(/memory\.provider_options +api_key\n/)
    expect(`${stdout}${JSON.stringify(told)}`).not.toContain('a-key')
    expect(told.value).toMatchObject({
      warnings: [{ line: 2, message: expect.stringContaining('A plugin of Python Hermes works there alone.') }],
    })
  })

  it('says if past sessions cannot be searched, and creates nothing', async () => {
    const home = temporaryHome()
    const provider = (open: string) => `export default { name: 'mine', initialize: () => ({}), openRecall: async (home) => { ${open} } }\n`
    writeHome(home, { 'config.yaml': 'memory:\n  provider: ./mine.mjs\n', 'mine.mjs': provider("throw new Error('Install the driver.')") })
    const { code, stdout } = await runHermes(['config', 'check', '--home', home])
    expect(code).toBe(0)
    expect(stdout).toContain("line 2: The memory provider 'mine' cannot be opened: Install the driver.\n")
    expect(stdout).toContain('is valid, with 1 warning.')

    // Past sessions are searched, but not as the settings say.
    const searches = 'return { index: { close: async () => {} } }'
    writeHome(home, {
      'config.yaml': 'memory:\n  provider: ./theirs.mjs\n',
      'theirs.mjs': provider(`home.report(new Error('Install the model.')); ${searches}`),
    })
    expect((await runHermes(['config', 'check', '--home', home])).stdout).toContain('line 2: Install the model.')

    writeHome(home, { 'config.yaml': 'memory:\n  provider: recall\n  provider_options: { embed: word2vec }\n' })
    expect((await runHermes(['config', 'check', '--home', home])).stdout).toContain("but got 'word2vec'")

    writeHome(home, { 'config.yaml': 'memory:\n  provider: recall\n  provider_options: { embed: local }\n' })
    expect((await runHermes(['config', 'check', '--home', home])).stdout).toContain('is valid: 2 settings.')
    expect(existsSync(join(home, 'recall'))).toBe(false)
  })

  it('fails with every line that is wrong', async () => {
    const { code, stdout, stderr, told } = await check('curator:\n  enabled: "false"\n  stale_after_days: soon\n')
    expect(code).toBe(1)
    expect(stdout).toBe(
      'line 2: \'curator.enabled\' must be true or false, but is the text "false"; write it without quotes\n' +
        'line 3: \'curator.stale_after_days\' must be a whole number of days, 1 or more, but is the text "soon"\n',
    )
    expect(stderr).toContain('cannot be used: correct 2 lines.')
    expect(told).toMatchObject({ ok: false, error: { code: 'invalid', details: { problems: [{ line: 2 }, { line: 3 }] } } })
  })

  it('says if it is not YAML', async () => {
    expect(await check('memory: [\n')).toMatchObject({ code: 1, stdout: expect.stringMatching(/^line \d: it is not YAML/) })
  })
})

describe('a home whose config.yaml is wrong', () => {
  it.each(['memory show', 'memory why Oslo', 'pending', 'journal list', 'stats', 'skills list', 'curator status', 'search Oslo'])(
    'is read with the default settings by hermes %s',
    async (words) => {
      const home = temporaryHome()
      writeHome(home, { 'config.yaml': 'memory: [\n', 'memories/USER.md': 'Lives in Oslo' })
      const args = [...words.split(' '), '--home', home]
      const { code, stdout, stderr } = await runHermes(args)
      expect([code, stdout]).toEqual([0, expect.stringMatching(/\S/)])
      expect(stderr).toMatch(new RegExp(`^warning: ${home}/config\\.yaml, line \\d: it is not YAML .+ 'hermes doctor' .+\\n$`))
      expect((await runJson(args)).told).toMatchObject({ ok: true, warnings: [expect.stringContaining(`${home}/config.yaml`)] })
    },
  )

  it.each(['memory add x', 'memory pin Oslo', 'curator run', 'undo', 'forget Oslo --yes', 'skills manage deploy'])(
    'is not changed by hermes %s',
    async (words) => {
      const home = temporaryHome()
      writeHome(home, { 'config.yaml': 'memory:\n  memory_enabled: "false"\n', 'memories/USER.md': 'Lives in Oslo' })
      const { code, stdout, stderr } = await runHermes([...words.split(' '), '--home', home])
      expect([code, stdout, readdirSync(home).sort()]).toEqual([1, '', ['config.yaml', 'memories']])
      expect(stderr).toMatch(
        new RegExp(`^error: ${home}/config\\.yaml, line 2: 'memory\\.memory_enabled' must be true or false.+ 'hermes doctor' `),
      )
    },
  )
})

/** As newer Python Hermes and people write it. */
const OF_PYTHON = `\uFEFF# Mine. Keep: "quotes", tabs\tand CRLF\r
_config_version: 49
model: {provider: auto,   default: ""}   # one line
memory:
  nudge_interval: 3 # ours too
  write_approval: true
  some_day: {a: [1, 2,]}
skills:
  auto_load: [deploy]   
  max_skill_md_chars: null
curator: {enabled: true, prune_builtins: no, backup: {keep: 2}}
auxiliary: &aux
  background_review: {max_input_tokens: 600000}
copy: *aux
# The end has no line break.`

it('no verb changes a byte of config.yaml, with whatever keys, comments and line ends', async () => {
  const home = temporaryHome()
  writeHome(home, { 'config.yaml': OF_PYTHON, 'skills/deploy/SKILL.md': skillText('deploy') })
  const run = (...args: readonly string[]) => runHermes([...args, '--home', home])
  const file = join(temporaryHome(), 'export.tar.gz')
  for (const args of [
    ...[['init'], ['memory', 'add', 'Lives in Oslo'], ['skills', 'manage', 'deploy'], ['curator', 'pause'], ['curator', 'run']],
    ...[
      ['curator', 'backup'],
      ['curator', 'rollback', '--yes'],
      ['export', file],
      ['import', file],
      ['undo', '--yes'],
      ['forget', 'Oslo', '--yes'],
    ],
  ]) {
    const { code, stderr } = await run(...args)
    expect([args[0], code, stderr]).toEqual([args[0], 0, expect.not.stringContaining('config.yaml, line')])
  }
  expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe(OF_PYTHON)
})
