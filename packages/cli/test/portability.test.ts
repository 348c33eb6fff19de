/** `hermes export` and `hermes import`: a home as one file, used by a person and by a script. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { IS_LONG_RUN } from '../../../scripts/support/rounds.ts'
import { MAIN, runHermes, runJson, skillText, temporaryHome, writeHome } from './run-hermes.ts'

const NOW = Date.UTC(2026, 4, 16, 10)
/** Of a process. */
const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], HOME: '/no/such/home' }

const filledHome = async (): Promise<string> => {
  const home = temporaryHome()
  await runHermes(['memory', 'add', 'builds with pnpm 12', '--home', home], { now: NOW })
  await runHermes(['memory', 'add', 'Lives in Oslo', '--to', 'user', '--home', home], { now: NOW })
  writeHome(home, { 'skills/ops/deploy/SKILL.md': skillText('deploy'), 'config.yaml': 'memory: {}\n' })
  return home
}

const exported = async (home: string): Promise<string> => {
  const file = join(temporaryHome(), 'home.tar.gz')
  expect(await runHermes(['export', file, '--home', home])).toMatchObject({ code: 0, stderr: '' })
  return file
}

describe('hermes export', () => {
  it('writes one file for its owner alone, and says what is in it', async () => {
    const home = await filledHome()
    const file = join(temporaryHome(), 'home.tar.gz')
    const run = await runHermes(['export', file, '--home', home])
    expect(run).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('2 memory entries, 0 archived entries, 1 skill') })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const names = execFileSync('tar', ['tzf', file], { encoding: 'utf8' })
    expect(names).toContain('memories/MEMORY.md')
    expect(names).not.toContain('config.yaml')
  })

  it('takes its name from the day', async () => {
    const home = await filledHome()
    const folder = temporaryHome()
    const child = spawn(process.execPath, [MAIN, 'export', '--home', home], {
      cwd: folder,
      env,
    })
    expect(await once(child, 'close')).toEqual([0, null])
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^hermes-\d{4}-\d{2}-\d{2}\.tar\.gz$/)])
  })

  it('replaces no file unless it is told to, and then leaves nothing beside it', async () => {
    const home = await filledHome()
    const folder = temporaryHome()
    const file = join(folder, 'home.tar.gz')
    writeFileSync(file, 'precious')
    const { code, told } = await runJson(['export', file, '--home', home])
    expect([code, told.error]).toEqual([1, expect.objectContaining({ code: 'occupied', message: expect.stringContaining('--force') })])
    expect(readFileSync(file, 'utf8')).toBe('precious')
    expect(await runJson(['export', file, '--force', '--home', home])).toMatchObject({
      code: 0,
      told: { ok: true, value: { file, bytes: expect.any(Number), counts: { memory: 1, user: 1, skills: 1 }, leftOut: [] } },
    })
    expect(readdirSync(folder)).toEqual(['home.tar.gz'])
  })

  it.each([
    [['export', '-', '--json'], 2, 'usage', 'name a file'],
    [['export', '/no/such/folder/x.tar.gz', '--json'], 1, 'not_found', 'no such file or folder'],
    [['export', 'a', 'b', '--json'], 2, 'usage', ''],
    [['export', '', '--json'], 2, 'usage', 'Name a file'],
    [['import', '', '--json'], 2, 'usage', 'Name a file'],
  ])('refuses %j with what to do', async (args, exitCode, code, message) => {
    const home = await filledHome()
    const { code: exited, stdout } = await runHermes([...args, '--home', home])
    expect(exited).toBe(exitCode)
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code, message: expect.stringContaining(message) } })
  })

  it('writes no archive on a screen', async () => {
    const run = await runHermes(['export', '-', '--home', await filledHome()], { columns: 80 })
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('cannot be shown on a screen') })
  })

  if (IS_LONG_RUN)
    it('goes through a pipe into the import of another home', async () => {
      const [home, other] = [await filledHome(), temporaryHome()]
      const out = spawn(process.execPath, [MAIN, 'export', '-', '--home', home], { env })
      const into = spawn(process.execPath, [MAIN, 'import', '-', '--home', other], { env })
      out.stdout.pipe(into.stdin)
      expect(await once(into, 'close')).toEqual([0, null])
      expect(readFileSync(join(other, 'memories/MEMORY.md'), 'utf8')).toBe('builds with pnpm 12')
    })
})

describe('hermes import', () => {
  it('adds what is new, says how much, and changes nothing the second time', async () => {
    const file = await exported(await filledHome())
    const other = temporaryHome()
    const first = await runHermes(['import', file, '--home', other])
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toMatch(/^Imported\.\n {2}memory +2 added\n {2}skills +1 added\n {2}journal +2 added\n$/)
    expect((await runJson(['memory', 'show', '--home', other])).told.value).toMatchObject({
      stores: [{ entries: [{ text: 'builds with pnpm 12', origin: 'user' }] }, { entries: [{ text: 'Lives in Oslo', origin: 'user' }] }],
    })
    const second = await runHermes(['import', file, '--home', other])
    expect(second.stdout).toMatch(/^Nothing to add: .*\n {2}memory +2 already there\n/)
    expect(await runJson(['import', file, '--home', other])).toMatchObject({
      code: 0,
      told: { ok: true, value: { changed: false, refused: [] } },
    })
  })

  it('tells with --dry-run what it would do, and makes no home for that', async () => {
    const file = await exported(await filledHome())
    const other = temporaryHome()
    const run = await runHermes(['import', file, '--dry-run', '--home', other])
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing was written') })
    expect(readdirSync(other)).toEqual([])
  })

  it('names what it refused and why, and takes the rest', async () => {
    const file = await exported(await filledHome())
    const other = temporaryHome()
    writeHome(other, { 'skills/deploy/SKILL.md': skillText('deploy', 'Another way.') })
    const run = await runHermes(['import', file, '--home', other], { columns: 60 })
    expect(run.code).toBe(0)
    expect(run.stdout).toMatch(/Refused:\n {2}skills\/ops\/deploy: There is already a skill named/)
    for (const line of run.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(60)
    expect(readFileSync(join(other, 'skills/deploy/SKILL.md'), 'utf8')).toBe(skillText('deploy', 'Another way.'))
  })

  it('takes an archive of somebody else as text from outside', async () => {
    const home = await filledHome()
    writeHome(home, { 'skills/ops/deploy/scripts/run.sh': 'echo run\n' })
    const file = await exported(home)
    const other = temporaryHome()
    const run = await runHermes(['import', file, '--untrusted', '--home', other], { columns: 100 })
    expect(run.code).toBe(0)
    expect(run.stdout).toMatch(/skills +1 waiting for you/)
    expect(run.stdout).toMatch(/Waiting for you:\n[\s\S]* {2}skills\/ops\/deploy: Its source is a tool result or a document/)
    expect(run.stdout).toContain("'hermes pending' shows each of them and asks.")
    expect((await runJson(['memory', 'show', '--home', other])).told.value).toMatchObject({
      stores: [{ entries: [{ origin: 'tool' }] }, { entries: [] }],
    })
    const waiting = await runHermes(['pending', '--home', other])
    expect(waiting.stdout).toContain('scripts/run.sh')
  })

  it.each([
    ['a file that is not there', 'none.tar.gz', 'not_found', 'no such file'],
    ['a folder', 'folder', 'invalid_path', 'it is a folder'],
    ['a file that is no archive', 'text', 'unreadable', 'nothing was written'],
    ['half of an archive', 'half', 'unreadable', 'nothing was written'],
  ])('refuses %s and writes nothing', async (_, name, code, message) => {
    const folder = temporaryHome()
    mkdirSync(join(folder, 'folder'))
    writeFileSync(join(folder, 'text'), 'hello')
    writeFileSync(join(folder, 'half'), readFileSync(await exported(await filledHome())).subarray(0, 300))
    const other = temporaryHome()
    const { code: exited, told } = await runJson(['import', join(folder, name), '--home', other])
    expect([exited, told.error]).toEqual([1, expect.objectContaining({ code, message: expect.stringContaining(message) })])
    expect(readdirSync(other)).toEqual([])
  })

  it('asks for a file', async () => {
    expect(await runHermes(['import', '--home', temporaryHome()])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("See 'hermes import --help'."),
    })
  })

  it('is in the help, with its options', async () => {
    const help = await runHermes(['--help'])
    expect(help.stdout).toMatch(/^ {2}export +write what the agent has learned/m)
    expect((await runHermes(['import', '--help'])).stdout).toMatch(/^hermes import <file>\n[\s\S]*--dry-run[\s\S]*--untrusted/)
    expect((await runHermes(['help', 'export'])).stdout).toContain('hermes export [file]')
  })
})
