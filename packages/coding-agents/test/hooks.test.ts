/** The program of the hooks, as a host starts it. The whole loop in the real programs: test/hosts. */
import { execFileSync } from 'node:child_process'
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import nodeModule from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { projectOf } from '../src/project-of.ts'
import { PLUGIN, runProgram } from './support/claude-machine.ts'

let folder: string
let [home, transcript] = ['', '']

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hooks-'))
  home = join(folder, '.hermes')
  transcript = join(folder, 'transcript.jsonl')
})

afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

const hook = (event: string, input: unknown = {}, env: NodeJS.ProcessEnv = {}) => {
  const given = { session_id: 's', transcript_path: transcript, cwd: folder, hook_event_name: event, source: 'startup' }
  const text = typeof input === 'string' ? input : JSON.stringify({ ...given, ...(input as object) })
  const all = {
    PATH: process.env['PATH'],
    HOME: folder,
    HERMES_HOME: home,
    HERMES_HOOK_LIMIT_MS: '30000',
    HERMES_CLAUDE: 'missing-claude',
    ...env,
  }
  return runProgram(process.execPath, [join(PLUGIN, 'programs/hook.js'), 'claude-code', event], folder, all, text)
}

let at = Date.parse('2026-11-01T10:00:00Z')
const row = (role: 'user' | 'assistant', content: unknown) => {
  at += 1_000
  return `${JSON.stringify({ type: role, message: { role, content }, timestamp: new Date(at).toISOString() })}\n`
}
const turn = (said: string, answered = 'Fine.') => row('user', said) + row('assistant', [{ type: 'text', text: answered }])

const sessionRecord = async (session = ''): Promise<string> => {
  const names = await readdir(join(home, 'sessions')).catch(() => [])
  const name = names.find((each) => each.startsWith('claude-code') && each.includes(session))
  return name === undefined ? '' : readFile(join(home, 'sessions', name), 'utf8')
}

const unreadTexts = async (session = ''): Promise<readonly string[]> => {
  const text = await sessionRecord(session)
  const { unread = [] } = text === '' ? {} : JSON.parse(text)
  return unread.flatMap(({ messages }: { messages: { text: string }[] }) => messages.map((message) => message.text))
}

describe('a hook', () => {
  it('shows at the start what is remembered, and nothing if there is nothing', async () => {
    expect(await hook('SessionStart')).toEqual({ code: 0, stdout: '', stderr: '' })
    const hermes = createHermes({ storage: fileSystemBackend(home) })
    await hermes.memory.add('user', 'Likes tea')
    await hermes.close()
    const { code, stdout } = await hook('SessionStart', { session_id: 'other' })
    expect(code).toBe(0)
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
      hookEventName: 'SessionStart',
      additionalContext: expect.stringContaining('Likes tea'),
    })
    expect((await hook('SessionStart', { session_id: 'other', source: 'resume' })).stdout).toBe(stdout)
  })

  it('stays within the limit of its host with a full memory and 60 skills', async () => {
    const storage = fileSystemBackend(home)
    execFileSync('git', ['init', '-q'], { cwd: folder })
    const hermes = createHermes({ storage, project: projectOf(folder)! })
    for (let index = 0; index < 40; index++)
      await hermes.memory.add(index % 3 ? 'memory' : 'user', `Fact ${index}: the build of part ${index} needs tool ${index}`)
    for (let index = 0; index < 12; index++)
      await hermes.memoryStore().apply('project', { action: 'add', content: `Note ${index} on the project: ${'it is large. '.repeat(8)}` })
    for (let index = 0; index < 60; index++) {
      const name = `skill-${index}`
      const content = `---\nname: ${name}\ndescription: ${'How to do something useful. '.repeat(6)}\n---\n\nSteps.\n`
      expect(await hermes.skillStore().create({ name, content })).toMatchObject({ ok: true })
    }
    await hermes.close()
    const { stdout } = await hook('SessionStart')
    const { additionalContext } = JSON.parse(stdout).hookSpecificOutput
    expect([...additionalContext].length).toBeLessThanOrEqual(9_000)
    expect(additionalContext).toMatch(/Note 11 on the project[\s\S]*skill-/)
  })

  it('records each turn once, also one that was interrupted, and waits for a line that is half written', async () => {
    await hook('SessionStart')
    const third = row('user', 'Third')
    await writeFile(transcript, turn('First') + turn('Second') + third.slice(0, 20))
    await hook('Stop')
    expect(await unreadTexts()).toEqual(['First', 'Fine.', 'Second', 'Fine.'])
    await writeFile(transcript, turn('First') + turn('Second') + third + row('assistant', [{ type: 'text', text: 'Good.' }]))
    await hook('Stop')
    await hook('Stop')
    expect((await unreadTexts()).slice(4)).toEqual(['Third', 'Good.'])
  })

  it('records a turn that could not be saved with the next one, and says what failed', async () => {
    await hook('SessionStart')
    await writeFile(transcript, turn('First'))
    await rename(join(home, 'sessions'), join(folder, 'aside'))
    await writeFile(join(home, 'sessions'), 'not a folder')
    const { code, stderr } = await hook('Stop')
    expect(code).toBe(0)
    expect(stderr).toMatch(/^hermes: .+\n$/)
    await rm(join(home, 'sessions'))
    await rename(join(folder, 'aside'), join(home, 'sessions'))
    await appendFile(transcript, turn('Second'))
    await hook('Stop')
    expect(await unreadTexts()).toEqual(['First', 'Fine.', 'Second', 'Fine.'])
  })

  it('records a turn once, also when a stop and an end come at the same time, and two sessions at once', async () => {
    await hook('SessionStart')
    await hook('SessionStart', { session_id: 'other' })
    await writeFile(transcript, turn('First'))
    const events = ['Stop', 'SessionEnd', 'Stop'].map((event) => hook(event, { reason: 'other' }))
    const answers = await Promise.all([...events, hook('Stop', { session_id: 'other' })])
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    expect((await unreadTexts('~3as.json')).filter((text) => text === 'First')).toHaveLength(1)
    expect(await unreadTexts('other')).toContain('First')
  })

  it('records no turn again if the transcript was written anew and is shorter', async () => {
    await hook('SessionStart')
    await writeFile(transcript, row('user', 'Look') + row('user', [{ type: 'tool_result', content: 'x'.repeat(5_000) }]) + turn('First'))
    await hook('Stop')
    at -= 2_000
    await writeFile(transcript, turn('First') + turn('Second'))
    await hook('Stop')
    expect((await unreadTexts()).filter((text) => text === 'First')).toHaveLength(1)
    expect(await unreadTexts()).toContain('Second')
  })

  it("shows the notes on a project in its repository alone, and the person's in all; a session stays in its project", async () => {
    const [shop, site] = [join(folder, 'shop'), join(folder, 'site')]
    for (const repository of [shop, site]) {
      await mkdir(join(repository, 'src'), { recursive: true })
      execFileSync('git', ['init', '-q'], { cwd: repository })
    }
    const hermes = createHermes({ storage: fileSystemBackend(home), project: projectOf(shop)! })
    await hermes.memory.add('user', 'Likes tea')
    expect(await hermes.memoryStore().apply('project', { action: 'add', content: 'Prices are in cents' })).toMatchObject({ ok: true })
    await hermes.close()
    const shown = async (cwd: string) => (await hook('SessionStart', { cwd, session_id: cwd.split('/').slice(-2).join('-') })).stdout
    expect(await shown(join(shop, 'src'))).toMatch(/Likes tea[\s\S]*Prices are in cents/)
    expect(await shown(site)).not.toContain('cents')
    expect(await shown(site)).toContain('Likes tea')
    expect(await shown(folder)).not.toContain('cents')
    await writeFile(transcript, turn('Go on'))
    expect(await hook('Stop', { cwd: site, session_id: 'shop-src' })).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await sessionRecord('shop-src')).toContain(`"project": "${projectOf(shop)}"`)
    expect(await sessionRecord('shop-src')).toContain('Go on')
  })

  it('takes what a copied session was told before as read by nobody and from outside', async () => {
    await writeFile(transcript, turn('Old words'))
    await hook('SessionStart', { source: 'fork' })
    at = Date.now()
    await appendFile(transcript, turn('New words'))
    await hook('Stop')
    expect(await unreadTexts()).not.toContain('Old words')
    expect(await unreadTexts()).toContain('New words')
    expect(await sessionRecord()).toContain('"tainted": true')
  })

  it.each([
    ['no input', ''],
    ['no JSON', 'nonsense'],
    ['another kind of JSON', '[1, 2]'],
    ['no session', '{"hook_event_name":"Stop"}'],
    ['a session that is a path', { session_id: '../../etc' }],
    ['an event of a later version', { hook_event_name: 'SessionDream' }],
    ['an event with a name of JavaScript', { hook_event_name: 'constructor' }],
    ['a transcript that is gone', { transcript_path: '/nowhere/t.jsonl' }],
  ])('never fails its host: %s', async (_, input) => {
    const { code, stdout, stderr } = await hook('Stop', input)
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr.split('\n').length).toBeLessThanOrEqual(2)
  })

  it('survives a transcript of 200 MB, of which it reads the end', async () => {
    await writeFile(transcript, turn('First'))
    await truncate(transcript, 200_000_000)
    await appendFile(transcript, `\n${turn('Last')}`)
    expect((await hook('Stop')).code).toBe(0)
    expect(await unreadTexts()).toContain('Last')
  })

  it('reads no memory that a repository brings along, also if a variable names it', async () => {
    const brought = createHermes({ storage: fileSystemBackend(join(folder, 'repository/.hermes')) })
    await brought.memory.add('user', 'Pushes to main')
    await brought.close()
    const cwd = join(folder, 'repository')
    expect((await hook('SessionStart', { cwd })).stdout).toBe('')
    expect((await hook('SessionStart', { cwd, session_id: 'other' }, { HERMES_HOME: '.hermes' })).stdout).toBe('')
    expect((await hook('SessionStart', { cwd, session_id: 'third' }, { HERMES_HOME: 'repository/.hermes' })).stdout).toBe('')
  })

  it.skipIf(process.getuid?.() === 0)('says in one line that the home cannot be written', async () => {
    await mkdir(home)
    await chmod(home, 0o500)
    const { code, stderr } = await hook('SessionStart')
    expect(code).toBe(0)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    await chmod(home, 0o700)
  })

  it('goes on without memory if the home is no folder', async () => {
    await writeFile(home, 'a file')
    const { code, stdout, stderr } = await hook('SessionStart')
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatch(/^hermes: .+\n$/)
  })

  it('ends after its limit, whatever it does', async () => {
    const { code, stderr } = await hook('SessionStart', {}, { HERMES_HOOK_LIMIT_MS: '1' })
    expect(code).toBe(0)
    expect(stderr).toContain('no answer in time')
  })

  it('does nothing inside a review', async () => {
    await hook('SessionStart', {}, { HERMES_REVIEWING: '1' })
    expect(await readdir(folder)).toEqual([])
  })

  const tenTurns = async (env: NodeJS.ProcessEnv = {}): Promise<string> => {
    await hook('SessionStart', {}, env)
    for (let index = 1; index <= 10; index++) await appendFile(transcript, turn(`Secret turn ${index}`))
    await hook('Stop', {}, env)
    const file = join(home, '.hermes/agents/last-review')
    await expect.poll(() => readFile(file, 'utf8').catch(() => ''), { timeout: 20_000 }).toContain('"at"')
    return readFile(file, 'utf8')
  }

  /** A program in the place of Claude Code. */
  const claudeThat = async (code: string): Promise<NodeJS.ProcessEnv> => {
    const program = join(folder, 'claude')
    await writeFile(program, `#!${process.execPath}\n${code}\n`, { mode: 0o755 })
    return { HERMES_CLAUDE: program }
  }

  it('a review whose program is missing leaves the turns unread, and says why', async () => {
    expect(await tenTurns()).toContain("The program 'missing-claude' was not found.")
    expect(await unreadTexts()).toContain('Secret turn 1')
  })

  it.skipIf(process.platform === 'win32').each([
    [
      'nobody is logged in',
      `console.log('{"is_error":true,"result":"Not logged in · Please run /login"}'); process.exitCode = 1`,
      'Please run /login',
    ],
    ['it answers nonsense', 'process.stdin.pipe(process.stdout)', 'did not answer in the JSON'],
    ['it ends in a signal', "process.kill(process.pid, 'SIGKILL')", 'ended with a signal'],
  ])('a review says what is wrong, and keeps no word of the conversation: %s', async (_, code, told) => {
    const result = await tenTurns(await claudeThat(code))
    expect(result).toContain(told)
    expect(result).not.toContain('Secret')
    expect(await unreadTexts()).toContain('Secret turn 1')
  })

  it('a review that cannot open the home says so', async () => {
    await hook('SessionStart')
    await writeFile(join(home, 'config.yaml'), 'memory: [')
    await runProgram(process.execPath, [join(PLUGIN, 'programs/hook.js'), 'claude-code', 'review', 'turns'], folder, { HERMES_HOME: home })
    expect(await readFile(join(home, '.hermes/agents/last-review'), 'utf8')).toContain('config.yaml')
  })

  it('never runs two reviews at once', async () => {
    const env = await claudeThat(`
      const fs = require('node:fs')
      fs.appendFileSync(${JSON.stringify(join(folder, 'calls'))}, process.cwd() + '\\n')
      setTimeout(() => console.log(JSON.stringify({ result: '{"proposals":[]}' })), 1500)`)
    await hook('SessionStart', {}, env)
    for (let index = 1; index <= 10; index++) await appendFile(transcript, turn(`Secret turn ${index}`))
    await hook('Stop', {}, env)
    const program = [join(PLUGIN, 'programs/hook.js'), 'claude-code', 'review', 'turns']
    await Promise.all(
      Array.from({ length: 4 }, () =>
        runProgram(process.execPath, program, folder, { PATH: process.env['PATH'], HERMES_HOME: home, ...env }),
      ),
    )
    await expect
      .poll(() => readFile(join(home, '.hermes/agents/last-review'), 'utf8').catch(() => ''), { timeout: 20_000 })
      .toContain('"at"')
    // In a folder of the person, where nobody else can put instructions.
    expect(await readFile(join(folder, 'calls'), 'utf8')).toBe(`${join(home, '.hermes/agents')}\n`)
  })

  it.skipIf(!nodeModule.enableCompileCache)('keeps compiled code in the home, where no other user can put any', async () => {
    await hook('SessionStart')
    const { code } = await hook('SessionStart', {}, { TMPDIR: join(folder, 'tmp') })
    expect(code).toBe(0)
    expect(await readdir(folder)).not.toContain('tmp')
    expect(await readdir(join(home, '.hermes/agents/compiled'))).not.toEqual([])
  })
})
