/** What connecting changes in the files of the other agents, and that disconnecting restores every byte of them. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { connect, connectionState, disconnect, HOST_SETUPS, type HostSetup, planConnection } from '@hermes/coding-agents'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let folder = ''
const before = { ...process.env }
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'connect-'))
  process.env = {
    ...before,
    GEMINI_CLI_HOME: folder,
    XDG_CONFIG_HOME: folder,
    PI_CODING_AGENT_DIR: join(folder, 'pi'),
    COPILOT_HOME: join(folder, 'copilot'),
  }
})
afterEach(async () => {
  process.env = { ...before }
  await rm(folder, { recursive: true, force: true })
})

const named = (name: string): HostSetup => HOST_SETUPS.find((setup) => setup.name === name)!
const home = () => join(folder, 'home')
const connectNow = async (setup: HostSetup) => connect(home(), setup, await planConnection(home(), setup))

/** Every file below the folder with its bytes, apart from the home. */
const snapshot = async (): Promise<Readonly<Record<string, string>>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.map((entry) => join(entry.parentPath, entry.name)).filter((file) => !file.startsWith(home()))
  return Object.fromEntries(
    await Promise.all(files.toSorted().map(async (file) => [file, await readFile(file, 'latin1').catch(() => 'folder')] as const)),
  )
}

/** A file with servers of the person, and where ours goes in it. */
const FILES = [
  ['gemini-cli', '.gemini/settings.json', 'mcpServers'],
  ['opencode', 'opencode/opencode.json', 'mcp'],
  ['opencode', 'opencode/opencode.jsonc', 'mcp'],
  ['pi', 'pi/mcp.json', 'mcpServers'],
  ['copilot-cli', 'copilot/mcp-config.json', 'mcpServers'],
] as const

const write = async (path: string, text: string): Promise<string> => {
  const file = join(folder, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  return file
}

describe('connecting another agent', () => {
  it.each(['gemini-cli', 'opencode', 'pi', 'copilot-cli'])('%s: leaves nothing behind where it was not installed', async (name) => {
    const first = await snapshot()
    await connectNow(named(name))
    expect(await connectionState(home(), named(name))).toBe('connected')
    for (const { to } of await named(name).folders()) expect(existsSync(join(to, 'hook.js'))).toBe(true)
    expect(await disconnect(home(), named(name))).toMatchObject({ edited: [], kept: [] })
    expect(await snapshot()).toEqual(first)
  })

  it.each(FILES)('%s: restores every byte of %s, and keeps its comments while it is connected', async (name, path, servers) => {
    const file = await write(path, `{\r\n\t// mine\r\n\t"${servers}": {\r\n\t\t"other": {},\r\n\t},\r\n}`)
    const first = await snapshot()
    await connectNow(named(name))
    const connected = await readFile(file, 'utf8')
    expect(connected).toContain('// mine\r\n')
    expect(connected).toContain('mcp.js')
    await connectNow(named(name))
    expect(await readFile(file, 'utf8')).toBe(connected)
    await disconnect(home(), named(name))
    expect(await snapshot()).toEqual(first)
  })

  it.each(FILES)('%s: takes only its own out of %s if that was changed meanwhile', async (name, path) => {
    const file = await write(path, '{\n  "a": 1\n}\n')
    await connectNow(named(name))
    await writeFile(file, (await readFile(file, 'utf8')).replace('{\n', '{\n  "b": 2,\n'))
    await disconnect(home(), named(name))
    expect(await readFile(file, 'utf8')).toBe('{\n  "b": 2,\n  "a": 1\n}\n')
  })

  it.each(FILES)('%s: refuses a server of the person in %s that has our name, and changes nothing', async (name, path, servers) => {
    await write(path, JSON.stringify({ [servers]: { hermes: { command: 'mine' } } }))
    const first = await snapshot()
    await expect(connectNow(named(name))).rejects.toThrow("has an MCP server 'hermes' already, so nothing was changed")
    expect(await snapshot()).toEqual(first)
  })

  it.each([
    ['pi', 'pi/extensions/hermes.js'],
    ['opencode', 'opencode/plugin/hermes.js'],
  ])('%s: overwrites no %s of somebody else', async (name, path) => {
    await write(path, 'mine')
    const first = await snapshot()
    await expect(connectNow(named(name))).rejects.toThrow('was not made by')
    expect(await snapshot()).toEqual(first)
  })
})

it('disconnecting restores the files that connecting changed, also if the agent has another folder by now', async () => {
  const settings = await write('.gemini/settings.json', '{ "mcpServers": { "mine": { "command": "mine" } } }\n')
  const [server, module] = [await write('opencode/opencode.json', '{}\n'), join(folder, 'opencode/plugin/hermes.js')]
  const first = await snapshot()
  for (const name of ['gemini-cli', 'opencode']) await connectNow(named(name))
  process.env = { ...process.env, GEMINI_CLI_HOME: join(folder, 'elsewhere'), XDG_CONFIG_HOME: join(folder, 'elsewhere') }
  await connectNow(named('opencode'))
  expect(await disconnect(home(), named('gemini-cli'))).toMatchObject({ restored: [settings] })
  expect(await disconnect(home(), named('opencode'))).toMatchObject({ restored: expect.arrayContaining([module, server]) })
  expect(await snapshot()).toEqual(first)
})

it('disconnecting says where the agent was connected, and changes nothing, if files there were changed and it has another folder by now', async () => {
  const settings = await write('.gemini/settings.json', '{}\n')
  await connectNow(named('gemini-cli'))
  await writeFile(settings, (await readFile(settings, 'utf8')).replace('{', '{ "mine": 1,'))
  const connected = await snapshot()
  process.env['GEMINI_CLI_HOME'] = join(folder, 'elsewhere')
  await expect(disconnect(home(), named('gemini-cli'))).rejects.toThrow(`'${settings}' was changed since 'hermes connect'`)
  expect(await snapshot()).toEqual(connected)
  process.env['GEMINI_CLI_HOME'] = folder
  expect(await disconnect(home(), named('gemini-cli'))).toMatchObject({ edited: [settings] })
})

it.each([
  ['gemini-cli', 'GEMINI_CLI_HOME'],
  ['opencode', 'XDG_CONFIG_HOME'],
  ['pi', 'PI_CODING_AGENT_DIR'],
  ['copilot-cli', 'COPILOT_HOME'],
  ['codex', 'CODEX_HOME'],
])('%s: an empty %s counts as none, and never as the folder in which the command runs', (name, variable) => {
  process.env[variable] = ''
  for (const { path } of named(name).files()) expect(path.startsWith(homedir())).toBe(true)
})
