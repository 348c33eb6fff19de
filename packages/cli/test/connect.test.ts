/** The built command connects Claude Code: the plugin that it copies is part of the package. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type HermesRun, spawnHermes, temporaryHome } from './run-hermes.ts'

const SETTINGS = '{\n  "model": "opus"\n}\n'

const machine = async () => {
  const folder = temporaryHome()
  const claude = join(folder, '.claude')
  await mkdir(claude)
  await writeFile(join(claude, 'settings.json'), SETTINGS)
  const env = { HOME: folder, CLAUDE_CONFIG_DIR: claude }
  return {
    folder,
    settings: () => readFile(join(claude, 'settings.json'), 'utf8'),
    plugin: join(claude, 'skills/hermes'),
    hermes: (...args: readonly string[]): Promise<HermesRun> => spawnHermes(args, { env }),
  }
}

it('shows what it changes, asks, connects, and takes everything back byte for byte', async () => {
  const { settings, plugin, hermes } = await machine()
  const asked = await hermes('connect', 'claude-code')
  expect(asked).toMatchObject({ code: 1, stdout: '' })
  expect(asked.stderr).toContain(`New folder ${plugin}`)
  expect(asked.stderr).toContain('+       "mcp__plugin_hermes_hermes__memory",')
  expect(asked.stderr).toContain('Nothing was changed. Use --yes to confirm.')
  expect([await settings(), existsSync(plugin)]).toEqual([SETTINGS, false])

  const connected = await hermes('connect', 'claude-code', '--yes')
  expect(connected.stdout).toContain('Claude Code is connected.')
  expect(existsSync(join(plugin, 'programs/hook.js'))).toBe(true)
  expect((await hermes('connect')).stdout).toMatch(/^claude-code {3}connected$/m)
  expect((await hermes('doctor')).stdout).toMatch(/^ok +agents +Claude Code connected$/m)
  const again = await hermes('connect', 'claude-code', '--yes')
  expect(again.stdout).toMatch(/^Claude Code is connected .+ already\. Nothing was changed\.$/m)
  expect(again.stderr).not.toContain('New folder')
  await writeFile(join(plugin, 'programs/hook.js'), 'of an older version')
  const update = await hermes('connect', 'claude-code', '--yes')
  expect(update).toMatchObject({ code: 0, stderr: expect.stringContaining(`Newer files in ${plugin}`) })
  expect(update.stderr).not.toContain('New folder')

  expect((await hermes('disconnect', 'claude-code', '--yes')).stdout).toContain('What was learned stays in the memory.')
  expect([await settings(), existsSync(plugin)]).toEqual([SETTINGS, false])
  expect((await hermes('disconnect', 'claude-code', '--yes')).stderr).toContain('Claude Code is not connected')
})

it('names the agents that there are, and the home that they use', async () => {
  const { folder, hermes } = await machine()
  const unknown = await hermes('connect', 'claude-cod')
  expect(unknown).toMatchObject({ code: 2 })
  expect(unknown.stderr).toContain("Did you mean 'claude-code'?")
  const other = await hermes('connect', 'claude-code', '--home', join(folder, 'other'))
  expect(other).toMatchObject({ code: 2 })
  expect(other.stderr).toContain('set HERMES_HOME where the agent is started')
})

it('connects Cursor with the tools alone, says that nobody has tested it, and takes everything back', async () => {
  const { folder, hermes } = await machine()
  const servers = '{ "mcpServers": { "other": { "url": "http://127.0.0.1" } } }'
  await mkdir(join(folder, '.cursor'))
  await writeFile(join(folder, '.cursor/mcp.json'), servers)
  expect((await hermes('connect', 'cursor', '--yes')).stdout).toContain('never tested')
  const { mcpServers } = JSON.parse(await readFile(join(folder, '.cursor/mcp.json'), 'utf8'))
  expect(existsSync(mcpServers.hermes.args[0])).toBe(true)
  expect((await hermes('connect')).stdout).toMatch(/^cursor +connected \(tools only, not tested with the program\)$/m)
  await hermes('disconnect', 'cursor', '--yes')
  expect(await readFile(join(folder, '.cursor/mcp.json'), 'utf8')).toBe(servers)
  expect(existsSync(join(folder, '.cursor/hermes'))).toBe(false)
})

it('a broken settings.json stays as it is', async () => {
  const { folder, settings, hermes } = await machine()
  await writeFile(join(folder, '.claude/settings.json'), '{ "model": ')
  const { code, stderr } = await hermes('connect', 'claude-code', '--yes')
  expect(code).toBe(1)
  expect(stderr).toContain('is not JSON, so nothing was changed')
  expect(await settings()).toBe('{ "model": ')
})

it('imports what an agent remembers only when asked, after it has named the files', async () => {
  const { folder, hermes } = await machine()
  await writeFile(join(folder, '.claude/CLAUDE.md'), '- Likes short answers\n')
  expect((await hermes('connect')).stdout).toContain('CLAUDE.md (22 B, written by hand)')
  const asked = await hermes('connect', 'claude-code', '--import')
  expect(asked).toMatchObject({ code: 1, stdout: '' })
  expect(asked.stderr).toContain(join(folder, '.claude/CLAUDE.md'))
  expect((await hermes('memory', 'show')).stdout).not.toContain('short answers')
  expect((await hermes('connect', 'claude-code', '--import', '--yes')).stdout).toMatch(/Written by hand\nImported\.[\s\S]*1 added/)
  expect((await hermes('memory', 'show')).stdout).toContain('Likes short answers')
  expect((await hermes('connect', 'claude-code', '--import', '--yes')).stdout).toContain('Nothing to add')
  expect((await hermes('connect', 'cursor', '--import')).stdout).toContain('Cursor remembers nothing')
  expect((await hermes('connect')).stdout).toMatch(/^claude-code {3}not connected$/m)
})

it('a damaged record of a connection is an error that says what to do', async () => {
  const { folder, hermes } = await machine()
  await mkdir(join(folder, '.hermes/.hermes/agents/connected'), { recursive: true, mode: 0o700 })
  await writeFile(join(folder, '.hermes/.hermes/agents/connected/claude-code.json'), '{ "files"')
  for (const command of [['connect'], ['connect', 'claude-code'], ['disconnect', 'claude-code', '--yes']]) {
    const { code, stderr } = await hermes(...command)
    expect(code).toBe(1)
    expect(stderr).toContain('is damaged. Remove it, then connect again.')
    expect(stderr).not.toContain('Please report it')
  }
})
