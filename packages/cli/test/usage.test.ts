import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { IS_LONG_RUN } from '../../../scripts/support/rounds.ts'
import { GROUPS, HOME_VERBS } from '../src/groups.ts'
import { runHermes, runJson, spawnHermes, temporaryHome, writeHome } from './run-hermes.ts'

describe('hermes', () => {
  it('teaches with --help, at 80 columns', async () => {
    const { code, stdout, stderr } = await runHermes(['--help'], { env: { COLUMNS: '80' } })
    expect([code, stderr]).toEqual([0, ''])
    const headings = ['Look:', 'Decide:', 'Change:', 'Look after:', 'Coding agents:', 'Server:', 'Options:', 'Examples:']
    expect(stdout.match(/^[A-Z].+:$/gm)).toEqual(headings)
    const names = [...GROUPS, ...HOME_VERBS].map(({ name }) => name)
    expect(
      stdout
        .match(/^ {2}[a-z]+(?= {2})/gm)
        ?.map((name) => name.trim())
        .sort(),
    ).toEqual([...names, 'completion'].sort())
    expect(stdout).toContain('Exit codes: 0 done, 1 refused or failed, 2 wrong usage')
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  it('says the same without any words', async () => {
    const [bare, help] = [await runHermes([]), await runHermes(['--help'])]
    expect(bare).toEqual(help)
  })

  it('shows the help of a noun alone, and one object with --json', async () => {
    expect(await runHermes(['memory'])).toEqual(await runHermes(['memory', '--help']))
    expect(await runHermes(['curator', '--home', 'x'])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('hermes curator prune'),
    })
    expect(await runJson(['memory'])).toMatchObject({
      code: 2,
      told: { error: { message: expect.stringContaining("'hermes memory --help'") } },
    })
  })

  it('shows examples for every command', async () => {
    const { stdout } = await runHermes(['memory', 'add', '--help'])
    expect(stdout).toContain('Examples:\n  hermes memory add "The repo builds with pnpm 12"\n')
    expect(stdout).not.toContain('[default: []]')
  })

  it.each([['-V'], ['version']])('tells its version for %s too', async (word) => {
    expect(await runHermes([word])).toEqual(await runHermes(['--version']))
  })

  it('tells its version', async () => {
    expect(await runHermes(['--version'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  })

  it.each([
    ['bash', '/bin/bash', 'complete -o bashdefault'],
    ['zsh', '/bin/zsh', '#compdef hermes'],
    ['fish', '/usr/bin/fish', 'complete -c hermes'],
  ])('prints a completion script for %s', async (_shell, path, expected) => {
    // The parser reads it from the process.
    vi.stubEnv('SHELL', path)
    onTestFinished(() => void vi.unstubAllEnvs())
    const { code, stdout } = await runHermes(['completion'], { env: { SHELL: path } })
    expect(code).toBe(0)
    expect(stdout).toContain(expected)
  })

  it.each([
    ['bash', 'complete -o bashdefault'],
    ['zsh', '#compdef hermes'],
    ['fish', 'complete -c hermes'],
  ])('prints the script for %s if it is named, whatever SHELL says', async (shell, expected) => {
    for (const SHELL of ['/bin/bash', '/usr/bin/zsh', '/usr/bin/fish', '']) {
      expect(await runHermes(['completion', shell], { env: { SHELL } })).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(expected),
      })
    }
    expect(await runHermes(['completion', 'ksh'])).toMatchObject({ code: 2, stderr: expect.stringContaining("The shell is 'ksh'") })
  })

  it.each(['/bin/ksh', ''])('says which shells it completes in where SHELL is %j', async (shell) => {
    const { code, stdout, stderr } = await runHermes(['completion'], { env: { SHELL: shell } })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr.replace(/\s+/g, ' ')).toContain('hermes completion bash')
    expect(stderr.replace(/\s+/g, ' ')).toContain('bash, zsh and fish')
  })

  it.each([[['completion', '--help']], [['completion', '-h']], [['help', 'completion']]])(
    'shows help for %j, not the script',
    async (args) => {
      const { code, stdout } = await runHermes(args, { env: { SHELL: '/bin/bash' } })
      expect(code).toBe(0)
      expect(stdout).toMatch(/^hermes completion \[shell\]\n\nPrint the completion script for bash, zsh or fish[\s\S]+Examples:/)
      expect(stdout).not.toContain('complete -o bashdefault')
    },
  )

  it('completes nouns and verbs', async () => {
    const env = { SHELL: '/bin/bash' }
    const nouns = await runHermes(['--get-yargs-completions', 'hermes', 'c'], { env })
    const verbs = await runHermes(['--get-yargs-completions', 'hermes', 'curator', 're'], { env })
    expect(nouns.stdout.split('\n')).toEqual(expect.arrayContaining(['curator', 'config']))
    expect(verbs.stdout.split('\n')).toEqual(expect.arrayContaining(['resume', 'restore']))
  })

  it.each([
    [['memry', 'show'], "There is no command 'memry'. Did you mean 'memory'?"],
    [['jurnal', '--home', 'x', 'list'], "There is no command 'jurnal'. Did you mean 'journal'?"],
    [['memory', 'shwo'], "There is no command 'memory shwo'. Did you mean 'memory show'?"],
    [['foo'], "There is no command 'foo'."],
    [['nonsense'], "There is no command 'nonsense'."],
    [['memory', 'nonsense'], "There is no command 'memory nonsense'."],
    [['memory', 'show', '--bogus'], "Unknown argument 'bogus'"],
    [['memory', 'show', '--constructor'], "Unknown argument 'constructor'"],
    [['memory', 'show', 'user', 'more'], "Unknown argument 'more'"],
    [['memory', 'add'], 'Missing text: give it in quotes, or use --stdin'],
    [['memory', 'add', ''], 'The text is empty: give it in quotes, or use --stdin'],
    [['memory', 'replace', '', 'x'], 'The text that names the entry is empty.'],
    [['memory', 'add', 'x', '--stdin'], 'not both'],
    [['memory', 'add', '--stdin'], 'There is no text on stdin. Pipe it in, or give it in quotes'],
    [['memory', 'replace'], 'Missing <old>.'],
    [['skills', 'install'], "Missing <source>. See 'hermes skills install --help'."],
    [['memory', 'restore'], 'Missing <id>.'],
    [['memory', 'show', '--', 'x'], "Unknown argument 'x'"],
    [['memory', 'show', '--home'], '--home needs a value'],
    [['memory', 'show', '--home', 'a', '--home', 'b'], '--home was given more than once'],
    [['memory', 'add', 'x', '--to', 'me'], 'Choose one of "memory", "user"'],
    [['journal', 'list', '--limit', '0'], '--limit takes a whole number from 1'],
    [['journal', 'list', '--limit', 'many'], '--limit takes a whole number from 1'],
    [['journal', 'list', '--since', 'yesterday'], '--since takes a span'],
  ])('calls %j wrong usage: exit code 2, nothing on stdout', async (args, message) => {
    const { code, stdout, stderr } = await runHermes(args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
    expect(stderr).toMatch(/\.\n$/)
    // At most one pointer to the help.
    expect(stderr).not.toMatch(/--help[\s\S]*--help/)
  })

  it.each([[['memory', 'add']], [['skills', 'unmanage']], [['forget']], [['owners', 'erase']]])(
    'reports only the wrong usage of %j if the home is missing, too',
    async (args) => {
      const { code, stderr } = await runHermes([...args, '--home', join(temporaryHome(), 'none')])
      expect(code).toBe(2)
      expect(stderr).toMatch(/^error: Missing [\s\S]+\n$/)
      expect(stderr).not.toContain('There is no Hermes home')
    },
  )

  it('points to the help of the noun that was called, not of a word after it', async () => {
    expect((await runHermes(['skills', 'show', 'memory', 'a', 'b'])).stderr).toContain("See 'hermes skills --help'.")
  })

  it.each([[['curator', 'run']], [['journal']], [[]]])('takes help for --help: %j', async (words) => {
    expect(await runHermes(['help', ...words])).toEqual(await runHermes([...words, '--help']))
  })

  it('says with --json what is wrong, on stdout alone', async () => {
    const { code, told, stderr } = await runJson(['memory', 'shwo'])
    expect([code, stderr]).toEqual([2, ''])
    expect(told).toEqual({ ok: false, error: { code: 'usage', message: "There is no command 'memory shwo'. Did you mean 'memory show'?" } })
  })

  it('answers with one object even if nothing is asked', async () => {
    expect(await runJson([])).toMatchObject({ code: 2, told: { ok: false, error: { code: 'usage' } } })
  })

  it.each([
    [['--help'], { help: expect.stringContaining('memory show') }],
    [['memory', 'add', '--help'], { help: expect.stringContaining('Examples:') }],
    [['help', 'curator'], { help: expect.stringContaining('hermes curator') }],
    [['--version'], { version: expect.stringMatching(/^\d+\.\d+\.\d+$/) }],
  ])('answers with one object for %j too', async (words, value) => {
    expect(await runJson(words)).toMatchObject({ code: 0, stderr: '', told: { ok: true, value } })
  })

  it('answers with one object for a completion script, and completes after --json as plain words', async () => {
    const env = { SHELL: '/bin/bash' }
    const script = await runHermes(['completion', '--json'], { env })
    expect(JSON.parse(script.stdout)).toEqual({ ok: true, value: { script: expect.stringContaining('complete -o bashdefault') } })
    const words = await runHermes(['--get-yargs-completions', 'hermes', '--json', 'curator', 're'], { env })
    expect(words.stdout.split('\n')).toContain('restore')
  })

  it('takes no word after -- for an option', async () => {
    const home = temporaryHome()
    expect((await runHermes(['memory', 'add', '--home', home, '--', '--json'])).stdout).toContain('MEMORY.md: added 1 entry.')
  })

  if (IS_LONG_RUN)
    it('keeps results and the rest apart, with exit codes, as a process too', async () => {
      const home = temporaryHome()
      const added = await spawnHermes(['memory', 'add', 'builds with pnpm', '--home', home])
      expect(added).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('MEMORY.md: added 1 entry.') })
      const refused = await spawnHermes(['memory', 'remove', 'npm 9', '--home', home, '--json'])
      expect(refused).toMatchObject({ code: 1, stderr: '' })
      expect(JSON.parse(refused.stdout)).toMatchObject({ ok: false, error: { code: 'not_found' } })
      expect(await spawnHermes(['memory', 'fetch', '--home', home])).toMatchObject({ code: 2, stdout: '' })
    })

  it('never shows a stack trace', async () => {
    const home = temporaryHome()
    mkdirSync(join(home, 'memories/MEMORY.md'), { recursive: true })
    writeFileSync(join(home, 'memories/MEMORY.md/file'), '')
    for (const args of [
      ['memory', 'show'],
      ['memory', 'add', 'x'],
    ]) {
      const { code, stderr } = await runHermes([...args, '--home', home])
      expect(code).toBe(1)
      expect(stderr).toMatch(/^error: /m)
      expect(stderr).not.toMatch(/\n\s+at /)
    }
  })
})

describe('the home', () => {
  it('is said to be missing, and reads as empty', async () => {
    const home = join(temporaryHome(), 'none')
    const { code, stdout, stderr } = await runHermes(['memory', 'show', '--home', home])
    expect(code).toBe(0)
    expect(stdout).toContain('no entries yet')
    expect(stderr).toContain(`There is no Hermes home at '${home}' yet`)
    expect(stderr).toContain('Check --home')
    const unnamed = await runHermes(['memory', 'show'], { env: { HERMES_HOME: home } })
    expect(unnamed.stderr).toContain('The first write creates it')
  })

  it.each([[['undo']], [['memory', 'remove', 'x']], [['skills', 'show', 'x']]])(
    'is said to be missing if %s fails for it',
    async (args) => {
      const home = join(temporaryHome(), 'none')
      const { code, stderr } = await runHermes([...args, '--home', home])
      expect(code).toBe(1)
      expect(stderr).toMatch(/^error: .+\n$/)
      expect(stderr).toContain(`There is no Hermes home at '${home}' yet; check --home.`)
    },
  )

  it('is named once if a write refuses to create it', async () => {
    const home = join(temporaryHome(), 'none')
    const { code, stderr } = await runHermes(['memory', 'add', 'x', '--home', home])
    expect([code, stderr.split('\n').length]).toEqual([1, 2])
  })

  it('is created by the first write, private to its owner', async () => {
    const home = join(temporaryHome(), 'none')
    expect(await runHermes(['memory', 'add', 'x'], { env: { HERMES_HOME: home } })).toMatchObject({ code: 0 })
    const { stdout, stderr } = await runHermes(['memory', 'show', '--home', home])
    expect(stdout).toContain('1 entry')
    expect(stderr).toBe('')
  })

  it('is the one that HERMES_HOME names, unless --home does', async () => {
    const [one, other] = [temporaryHome(), temporaryHome()]
    await runHermes(['memory', 'add', 'in one'], { env: { HERMES_HOME: one } })
    await runHermes(['memory', 'add', 'in the other', '--home', other], { env: { HERMES_HOME: one } })
    expect((await runHermes(['memory', 'show'], { env: { HERMES_HOME: one } })).stdout).toContain('in one')
    expect((await runHermes(['memory', 'show'], { env: { HERMES_HOME: other } })).stdout).toContain('in the other')
  })

  it.each([['memory add x'], ['memory remove x'], ['curator run'], ['curator pause'], ['curator backup'], ['skills manage deploy']])(
    'is not created by hermes %s where --home is mistyped',
    async (words) => {
      const folder = temporaryHome()
      const home = join(folder, 'tpyo')
      const { code, stdout, stderr } = await runHermes([...words.split(' '), '--home', home])
      expect([code, stdout, readdirSync(folder)]).toEqual([1, '', []])
      expect(stderr).toMatch(/^error: /)
      expect(stderr).not.toContain('warning: ')
    },
  )

  it('says how to create the folder of a mistyped --home, and refuses an empty one', async () => {
    const home = join(temporaryHome(), 'none')
    expect((await runHermes(['memory', 'add', 'x', '--home', home])).stderr).toContain(`mkdir -p '${home}'`)
    expect(await runHermes(['memory', 'show', '--home', ''])).toMatchObject({ code: 2, stderr: expect.stringContaining('--home is empty') })
  })

  it('is ~/.hermes if nothing is said', async () => {
    const folder = temporaryHome()
    writeHome(folder, { '.hermes/memories/USER.md': 'Lives in Oslo' })
    expect((await runHermes(['memory', 'show'], { env: { HOME: folder } })).stdout).toContain('Lives in Oslo')
    expect((await runHermes(['memory', 'show', '--home', '~/.hermes'], { env: { HOME: folder } })).stdout).toContain('Lives in Oslo')
  })

  it('is refused if a file is in its place', async () => {
    const file = join(temporaryHome(), 'file')
    writeFileSync(file, '')
    const { code, stderr } = await runHermes(['memory', 'show', '--home', file])
    expect(code).toBe(1)
    expect(stderr).toContain('is a file, not a Hermes home')
  })

  it.each([
    ['memory', 'show'],
    ['skills', 'list'],
    ['skills', 'manage'],
    ['journal', 'list'],
    ['pending'],
    ['curator', 'status'],
    ['skills', 'list', '--state', 'archived'],
    ['curator', 'rollback', '--list'],
    ['curator', 'run', '--dry-run'],
    ['config', 'check'],
  ])('may be empty for hermes %s %s', async (...words) => {
    const args = [...words.filter((word) => word !== undefined), '--home', temporaryHome()]
    expect(await runHermes(args)).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/\S/) })
    expect(await runJson(args)).toMatchObject({ code: 0, stderr: '', told: { ok: true, value: expect.anything() } })
  })

  it('has its limits from config.yaml', async () => {
    const home = temporaryHome()
    writeHome(home, { 'config.yaml': 'memory:\n  memory_char_limit: 10\n  user_profile_enabled: no\n  nudge_intervall: 3\n' })
    const { stdout, stderr } = await runHermes(['memory', 'show', '--home', home])
    expect(stdout).toContain('0/10 chars')
    expect(stdout).toContain('switched off in config.yaml')
    expect(stderr).toContain("1 setting without effect. 'hermes config check' lists them.")
    expect(await runHermes(['memory', 'add', 'far too long for that', '--home', home])).toMatchObject({ code: 1 })
  })
})

describe('colours', () => {
  const show = async (env: Readonly<Record<string, string>>, ...more: readonly string[]) =>
    (await runHermes(['memory', 'show', '--home', temporaryHome(), ...more], { env })).stdout.includes('\u001b[')

  it('are left out if nobody looks', async () => {
    expect(await show({})).toBe(false)
  })

  it('can be asked for, and NO_COLOR and --no-color win', async () => {
    expect(await show({ FORCE_COLOR: '1' })).toBe(true)
    expect(await show({ FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false)
    expect(await show({ FORCE_COLOR: '1' }, '--no-color')).toBe(false)
  })
})

describe('another name of a command', () => {
  it.each([
    ['memory ls', 'memory show'],
    ['memory rm 3', 'memory remove'],
    ['skills pin deploy', 'curator pin'],
    ['skills restore deploy', 'curator restore'],
    ['curator list-archived', 'skills list --state archived'],
    ['log --limit 3', 'journal list'],
    ['--home x config show', 'config check'],
  ])('is refused, with the one that there is: %j', async (words, meant) => {
    const { code, stdout, stderr } = await runHermes(words.split(' '))
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr.replace(/\s+/g, ' ')).toContain(`Use 'hermes ${meant}'.`)
  })
})
