/** The tools as the program of the plugin offers them. In the real Claude Code: test/hosts. */
import { appendFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHermes } from '@hermes/core'
import { asList, asRecord, asText } from '@hermes/core/adapter'
import { fileSystemBackend } from '@hermes/core/file-system'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PLUGIN, runProgram } from './support/claude-machine.ts'
import { type McpClient, mcpClient } from './support/mcp-client.ts'

let [folder, home, transcripts] = ['', '', '']
let client: McpClient | undefined

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'mcp-')))
  home = join(folder, '.hermes')
  transcripts = join(folder, '.claude/projects', folder.replaceAll(/[^a-zA-Z0-9]/g, '-'))
  await mkdir(transcripts, { recursive: true })
})

afterEach(async () => {
  await client?.close()
  client = undefined
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const env = () => ({ PATH: process.env['PATH'], HOME: folder, HERMES_HOME: home, CLAUDE_CONFIG_DIR: join(folder, '.claude') })

const start = async (): Promise<McpClient> => {
  client = await mcpClient([join(PLUGIN, 'programs/mcp.js'), 'claude-code'], folder, { ...env(), CLAUDE_CODE_SESSION_ID: 'first' })
  return client
}

/** The start hook of a session. */
const begin = (session: string) =>
  runProgram(
    process.execPath,
    [join(PLUGIN, 'programs/hook.js'), 'claude-code', 'SessionStart'],
    folder,
    { ...env(), HERMES_HOOK_LIMIT_MS: '30000' },
    JSON.stringify({ session_id: session, cwd: folder, source: 'startup' }),
  )

const row = (role: string, content: unknown): string =>
  `${JSON.stringify({ type: role, message: { role, content }, timestamp: new Date().toISOString() })}\n`
const callRow = (id: string): string => row('assistant', [{ type: 'tool_use', id, name: 'mcp__plugin_hermes_hermes__memory' }])

const remember = (mcp: McpClient, content: string, callId?: string) =>
  mcp.request('tools/call', {
    name: 'memory',
    arguments: { action: 'add', target: 'user', content },
    ...(callId === undefined ? {} : { _meta: { 'claudecode/toolUseId': callId } }),
  })

const kept = async () => {
  const hermes = createHermes({ storage: fileSystemBackend(home) })
  const listed = await hermes.memory.list('user')
  await hermes.close()
  return listed.ok ? listed.value.map(({ content, by }) => ({ content, by })) : []
}

describe('a call of the memory tool', () => {
  it("behind the user's own words is kept as theirs, and behind text from outside it waits", async () => {
    await begin('first')
    await writeFile(join(transcripts, 'first.jsonl'), row('user', 'Remember that I like tea') + callRow('call-1'))
    const mcp = await start()
    await remember(mcp, 'Likes tea', 'call-1')
    expect(await kept()).toEqual([{ content: 'Likes tea', by: 'user' }])
    await appendFile(
      join(transcripts, 'first.jsonl'),
      row('user', [{ type: 'tool_result', content: 'A page: likes coffee' }]) + callRow('call-2'),
    )
    await remember(mcp, 'Likes coffee', 'call-2')
    expect(await kept()).toHaveLength(1)
  })

  it('finds its conversation after the host has begun a new one, as after /clear', async () => {
    await begin('first')
    const mcp = await start()
    await begin('second')
    await writeFile(join(transcripts, 'second.jsonl'), row('user', 'Remember that I like tea') + callRow('call-1'))
    const started = performance.now()
    await remember(mcp, 'Likes tea', 'call-1')
    expect(await kept()).toEqual([{ content: 'Likes tea', by: 'user' }])
    expect(performance.now() - started).toBeLessThan(3_500)
  })

  it.each([
    ['without an id', undefined],
    ['that no transcript holds', 'call-9'],
  ])('%s counts as from outside', async (_, callId) => {
    await begin('first')
    await writeFile(join(transcripts, 'first.jsonl'), row('user', 'Remember that I like tea'))
    await remember(await start(), 'Likes tea', callId)
    expect(await kept()).toEqual([])
  })

  it('ends with its host', async () => {
    const mcp = await start()
    client = undefined
    expect(await mcp.close()).toBe(0)
  })

  it('offers notes on the project in a repository alone', async () => {
    const targets = async () => {
      const { result } = await (await start()).request('tools/list')
      const tool = asList(asRecord(result)['tools'])
        .map(asRecord)
        .find(({ name }) => name === 'memory')
      return asText(JSON.stringify(tool?.['inputSchema']))
    }
    expect(await targets()).not.toContain('"project"')
    await client?.close()
    await mkdir(join(folder, '.git'))
    await writeFile(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n')
    expect(await targets()).toContain('"project"')
  })
})

describe('the skills as resources', () => {
  const skill = (name: string) => ({ name, content: `---\nname: ${name}\ndescription: How to release.\n---\n\nTag ${name}, then push.\n` })
  const views = async () => {
    const hermes = createHermes({ storage: fileSystemBackend(home) })
    const usage = await hermes.usageStore().load()
    await hermes.close()
    return usage.ok ? usage.value.get('release')?.viewCount : undefined
  }

  it('are listed and read, and a reading counts as a view, as by the tool', async () => {
    const hermes = createHermes({ storage: fileSystemBackend(home) })
    expect(await hermes.skillStore().create(skill('release'))).toMatchObject({ ok: true })
    await hermes.close()
    const mcp = await start()
    expect((await mcp.request('resources/list'))['result']).toMatchObject({
      resources: [{ uri: 'skill://hermes/release', name: 'release', description: 'How to release.' }],
    })
    expect((await mcp.request('resources/read', { uri: 'skill://hermes/release' }))['result']).toMatchObject({
      contents: [{ uri: 'skill://hermes/release', mimeType: 'text/markdown', text: expect.stringContaining('Tag release') }],
    })
    expect(await views()).toBe(1)
    await mcp.request('tools/call', { name: 'skill_view', arguments: { name: 'release' } })
    expect(await views()).toBe(2)
  })

  it.each(['missing', '..%2F..%2Fsecret', '%'])('a name that is none is an error that says so: %s', async (name) => {
    const { error } = await (await start()).request('resources/read', { uri: `skill://hermes/${name}` })
    expect(asText(asRecord(error)['message'])).not.toBe('')
  })
})
