/** The program of the hooks, as a host starts it. The whole loop in the real programs: test/hosts. */
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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

const sessionRecord = async (): Promise<string> => {
  const names = await readdir(join(home, 'sessions')).catch(() => [])
  const name = names.find((each) => each.startsWith('claude-code'))
  return name === undefined ? '' : readFile(join(home, 'sessions', name), 'utf8')
}

const unreadTexts = async (): Promise<readonly string[]> => {
  const text = await sessionRecord()
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
    const hermes = createHermes({ storage })
    for (let index = 0; index < 40; index++)
      await hermes.memory.add(index % 3 ? 'memory' : 'user', `Fact ${index}: the build of part ${index} needs tool ${index}`)
    for (let index = 0; index < 60; index++) {
      const name = `skill-${index}`
      const content = `---\nname: ${name}\ndescription: ${'How to do something useful. '.repeat(6)}\n---\n\nSteps.\n`
      expect(await hermes.skillStore().create({ name, content })).toMatchObject({ ok: true })
    }
    await hermes.close()
    const { stdout } = await hook('SessionStart')
    const { additionalContext } = JSON.parse(stdout).hookSpecificOutput
    expect([...additionalContext].length).toBeLessThanOrEqual(9_000)
    expect(additionalContext).toContain('skill-')
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

  it('a review whose program is missing leaves the turns unread, says why, and pauses after three failures', async () => {
    await hook('SessionStart')
    for (let index = 1; index <= 10; index++) await appendFile(transcript, turn(`Turn ${index}`))
    await hook('Stop')
    await expect.poll(() => readFile(join(home, '.hermes/agents/last-review'), 'utf8').catch(() => '')).toContain('missing-claude')
    expect(await unreadTexts()).toContain('Turn 1')
  })
})
