import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, connectionState, disconnect, HOST_SETUPS, type HostSetup, planConnection } from '@hermes/coding-agents'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let folder: string
let [config, home] = ['', '']
const before = process.env['CLAUDE_CONFIG_DIR']

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'connect-'))
  config = join(folder, '.claude')
  home = join(folder, '.hermes')
  process.env['CLAUDE_CONFIG_DIR'] = config
})

afterEach(async () => {
  if (before === undefined) delete process.env['CLAUDE_CONFIG_DIR']
  else process.env['CLAUDE_CONFIG_DIR'] = before
  await rm(folder, { recursive: true, force: true })
})

const [claude] = HOST_SETUPS as [HostSetup]
const settings = () => join(config, 'settings.json')

/** Every file below the configuration with its bytes. */
const snapshot = async (): Promise<Readonly<Record<string, string>>> => {
  const entries = await readdir(config, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.map((entry) => join(entry.parentPath, entry.name)).toSorted()
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, await readFile(file, 'latin1').catch(() => 'folder')] as const)),
  )
}

const connectNow = async () => connect(home, claude, await planConnection(home, claude))

describe('connecting Claude Code', () => {
  it.each([
    ['no folder of Claude Code', undefined],
    ['settings without permissions', '{\n  "model": "opus"\n}\n'],
    ['settings on one line', '{"permissions":{"allow":["Bash(ls)"],"deny":[]}}'],
    [
      'tabs, comments and Windows line ends',
      '{\r\n\t// mine\r\n\t"permissions": {\r\n\t\t"allow": [\r\n\t\t\t"Read",\r\n\t\t]\r\n\t}\r\n}\r\n',
    ],
    ['an empty object', '{}'],
    ['the mark of an editor before it, and no last line end', '\uFEFF{ "model": "opus" }'],
    ['unknown fields and an empty list', '{\n  "later": [{ "a": 1 }],\n  "permissions": { "allow": [], "telepathy": true }\n}\n'],
  ])('and disconnecting leaves every byte as it was: %s', async (_, text) => {
    if (text !== undefined) {
      await mkdir(config)
      await writeFile(settings(), text)
    }
    const first = await snapshot()
    await connectNow()
    expect(await connectionState(home, claude)).toBe('connected')
    expect(await readFile(settings(), 'utf8')).toContain('mcp__plugin_hermes_hermes__memory')
    expect(await disconnect(home, claude)).toMatchObject({ edited: [], kept: [] })
    expect(await snapshot()).toEqual(first)
    expect(await connectionState(home, claude)).toBe('not-connected')
  })

  it('takes out only its own of settings that were changed meanwhile', async () => {
    await mkdir(config)
    await writeFile(settings(), '{\n  "permissions": {\n    "allow": ["Read"]\n  }\n}\n')
    await connectNow()
    const connected = await readFile(settings(), 'utf8')
    await writeFile(settings(), connected.replace('{\n', '{\n  "model": "opus",\n'))
    expect(await disconnect(home, claude)).toMatchObject({ edited: [settings()], restored: [] })
    expect(JSON.parse(await readFile(settings(), 'utf8'))).toEqual({ model: 'opus', permissions: { allow: ['Read'] } })
  })

  it('keeps every comment and the order of settings that were changed meanwhile', async () => {
    await mkdir(config)
    const text = '{\n  "permissions": {\n    "allow": [\n      // to look around\n      "Read", // and\n      "Glob"\n    ]\n  }\n}\n'
    await writeFile(settings(), text)
    await connectNow()
    const connected = await readFile(settings(), 'utf8')
    expect(connected).toContain('// to look around')
    await writeFile(settings(), connected.replace('{\n', '{\n  "model": "opus", // new\n'))
    await disconnect(home, claude)
    expect(await readFile(settings(), 'utf8')).toBe(text.replace('{\n', '{\n  "model": "opus", // new\n'))
  })

  it('changes nothing if the settings were changed after they were shown', async () => {
    await mkdir(config)
    await writeFile(settings(), '{}')
    const plan = await planConnection(home, claude)
    await writeFile(settings(), '{ "model": "opus" }')
    await expect(connect(home, claude, plan)).rejects.toThrow('was changed meanwhile')
    expect(await snapshot()).toEqual({ [settings()]: '{ "model": "opus" }' })
    expect(await connectionState(home, claude)).toBe('not-connected')
  })

  it('a second time changes nothing; with other files there it brings them up to date, and disconnecting still restores', async () => {
    await mkdir(config)
    await writeFile(settings(), '{ "model": "opus" }\n')
    const first = await snapshot()
    await connectNow()
    const connected = await snapshot()
    const again = await planConnection(home, claude)
    expect(again.folders).toMatchObject([{ state: 'same' }])
    expect(again.files.filter(({ before, after }) => before !== after)).toEqual([])
    await connect(home, claude, again)
    expect(await snapshot()).toEqual(connected)
    await writeFile(join(config, 'skills/hermes/programs/hook.js'), 'of an older version')
    const update = await planConnection(home, claude)
    expect(update.folders).toMatchObject([{ state: 'update' }])
    await connect(home, claude, update)
    expect(await connectionState(home, claude)).toBe('connected')
    await disconnect(home, claude)
    expect(await snapshot()).toEqual(first)
  })

  it.skipIf(process.platform === 'win32')(
    'changes the file that a link leads to, also one that is not there yet, and keeps the link',
    async () => {
      await mkdir(config)
      const dotfile = join(folder, 'settings-of-ada.json')
      await symlink('../settings-of-ada.json', settings())
      await connectNow()
      expect(await readFile(dotfile, 'utf8')).toContain('hermes')
      await disconnect(home, claude)
      expect(await readFile(dotfile, 'utf8').catch(() => 'gone')).toBe('gone')
      await writeFile(dotfile, '{}', { mode: 0o400 })
      await connectNow()
      expect((await stat(dotfile)).mode & 0o777).toBe(0o400)
      await disconnect(home, claude)
      expect(await readFile(dotfile, 'utf8')).toBe('{}')
      expect((await lstat(settings())).isSymbolicLink()).toBe(true)
    },
  )

  it('keeps no copy of settings, which may hold secrets', async () => {
    await mkdir(config)
    await writeFile(settings(), '{ "env": { "API_KEY": "a-secret" }, "permissions": { "allow": ["Read"] } }')
    await connectNow()
    const { files } = JSON.parse(await readFile(join(home, '.hermes/agents/connected/claude-code.json'), 'utf8'))
    expect(JSON.stringify(files)).not.toContain('a-secret')
  })

  it.each([
    ['are not in UTF-8', Buffer.from([0x7b, 0x7d, 0x20, 0xe9]), 'UTF-8'],
    ['have no list where one is expected', '{ "permissions": { "allow": "Read" } }', 'is not a list'],
    ['are a list', '[]', 'is not an object'],
    ['are empty', '', 'is not JSON'],
  ])('changes nothing if the settings %s', async (_, text, told) => {
    await mkdir(config)
    await writeFile(settings(), text)
    const first = await snapshot()
    await expect(connectNow()).rejects.toThrow(told)
    expect(await snapshot()).toEqual(first)
  })

  it('takes back what was done if a file cannot be written', async () => {
    await mkdir(join(config, 'file'), { recursive: true })
    await writeFile(settings(), '{}')
    const first = await snapshot()
    const plan = await planConnection(home, claude)
    const refused = { ...plan, files: plan.files.map((file) => ({ ...file, path: join(settings(), 'below-a-file'), before: undefined })) }
    await expect(connect(home, claude, refused)).rejects.toThrow()
    expect(await snapshot()).toEqual(first)
    expect(await connectionState(home, claude)).toBe('not-connected')
  })

  it('disconnects nothing in part if the settings are no JSON any more', async () => {
    await connectNow()
    await writeFile(settings(), '{ "permissions": ')
    await expect(disconnect(home, claude)).rejects.toThrow('is not JSON')
    expect(await connectionState(home, claude)).toBe('connected')
  })

  it('says what to do if the record of a connection is damaged', async () => {
    await connectNow()
    await writeFile(join(home, '.hermes/agents/connected/claude-code.json'), '{ "files"')
    await expect(connectionState(home, claude)).rejects.toThrow('Remove it, then connect again.')
  })

  it('keeps files of others in the folder of the plugin', async () => {
    await connectNow()
    const mine = join(config, 'skills/hermes/mine.txt')
    await writeFile(mine, 'mine')
    expect(await connectionState(home, claude)).toBe('connected')
    expect(await disconnect(home, claude)).toMatchObject({ kept: [mine] })
    expect(await readFile(mine, 'utf8')).toBe('mine')
  })

  it('overwrites no folder of others, and changes nothing then', async () => {
    await mkdir(join(config, 'skills/hermes'), { recursive: true })
    await writeFile(join(config, 'skills/hermes/SKILL.md'), 'mine')
    const first = await snapshot()
    await expect(connectNow()).rejects.toThrow("was not made by 'hermes connect'")
    expect(await snapshot()).toEqual(first)
    expect(await connectionState(home, claude)).toBe('not-connected')
  })

  it('changes nothing if the settings are no JSON', async () => {
    await mkdir(config)
    await writeFile(settings(), '{ "permissions": ')
    await expect(planConnection(home, claude)).rejects.toThrow('is not JSON, so nothing was changed')
  })

  it('changes nothing if a folder is where the settings should be', async () => {
    await mkdir(settings(), { recursive: true })
    await expect(planConnection(home, claude)).rejects.toThrow('is a folder, so nothing was changed. Move it away first.')
  })

  it('copies the lock of the home along, without which a home of the command could not be written', async () => {
    await connectNow()
    const modules = await readdir(join(config, 'skills/hermes/node_modules'))
    expect(modules.toSorted()).toEqual(process.platform === 'win32' ? modules : ['@koromix', 'koffi'])
  })

  it('notices that the plugin was changed', async () => {
    await connectNow()
    await writeFile(join(config, 'skills/hermes/programs/hook.js'), '')
    expect(await connectionState(home, claude)).toBe('changed')
  })

  it('lists what Claude Code remembers, with who wrote it, and reads nothing of it', async () => {
    const notes = join(config, 'projects/-home-ada-project/memory')
    await mkdir(notes, { recursive: true })
    await writeFile(join(notes, 'MEMORY.md'), 'notes')
    await writeFile(join(config, 'CLAUDE.md'), 'Be brief.')
    expect(await claude.remembered()).toEqual([
      { path: join(config, 'CLAUDE.md'), writtenBy: 'hand', isOfProject: false, bytes: 9 },
      { path: join(notes, 'MEMORY.md'), writtenBy: 'model', isOfProject: true, bytes: 5 },
    ])
  })
})

describe('connecting Codex', () => {
  const codex = HOST_SETUPS.find(({ name }) => name === 'codex') as HostSetup
  const file = (name: string) => join(config, name)
  const codexBefore = process.env['CODEX_HOME']
  beforeEach(() => {
    process.env['CODEX_HOME'] = config
  })
  afterEach(() => {
    if (codexBefore === undefined) delete process.env['CODEX_HOME']
    else process.env['CODEX_HOME'] = codexBefore
  })

  it.each([
    ['no folder of Codex', undefined, undefined],
    [
      'settings without a last line end, and hooks of others',
      'model = "gpt-5"',
      '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"mine"}]}]}}',
    ],
    ['Windows line ends', '# mine\r\nmodel = "gpt-5"\r\n', '{\r\n\t"hooks": {}\r\n}\r\n'],
  ])('and disconnecting leaves every byte as it was: %s', async (_, settings, hooks) => {
    if (settings !== undefined) {
      await mkdir(config)
      await writeFile(file('config.toml'), settings)
      await writeFile(file('hooks.json'), hooks ?? '')
    }
    const first = await snapshot()
    await connect(home, codex, await planConnection(home, codex))
    expect(await readFile(file('config.toml'), 'utf8')).toContain('[mcp_servers.hermes]')
    expect(JSON.parse(await readFile(file('hooks.json'), 'utf8')).hooks.SessionStart).toHaveLength(1)
    expect(await disconnect(home, codex)).toMatchObject({ edited: [], kept: [] })
    expect(await snapshot()).toEqual(first)
  })

  it.each([
    ['a server of this name', '[mcp_servers.hermes]\ncommand = "mine"\n'],
    ['a part of a server of this name', '[mcp_servers."hermes".env]\nA = "1"\n'],
    ['all servers in one value', 'mcp_servers = { mine = { command = "mine" } }\n'],
    ['a server of this name in the table of all', '[mcp_servers]\nmine.command = "mine"\nhermes = { command = "mine" }\n'],
    ['a server of this name by its full key', 'mcp_servers.hermes.command = "mine"\n'],
  ])('changes nothing if the settings have %s, beside which they could not be read', async (_, settings) => {
    await mkdir(config)
    await writeFile(file('config.toml'), settings)
    const first = await snapshot()
    await expect(planConnection(home, codex)).rejects.toThrow("an MCP server 'hermes' already")
    expect(await snapshot()).toEqual(first)
  })

  it('takes out only its own of a file that an editor has given Windows line ends', async () => {
    await mkdir(config)
    await writeFile(file('config.toml'), 'model = "gpt-5"\n')
    await connect(home, codex, await planConnection(home, codex))
    await writeFile(file('config.toml'), (await readFile(file('config.toml'), 'utf8')).replaceAll('\n', '\r\n'))
    await disconnect(home, codex)
    expect(await readFile(file('config.toml'), 'utf8')).toBe('model = "gpt-5"\r\n')
  })

  it('takes out only its own of files that were changed meanwhile', async () => {
    await mkdir(config)
    await writeFile(file('config.toml'), 'model = "gpt-5"\n')
    await connect(home, codex, await planConnection(home, codex))
    await writeFile(file('config.toml'), `${await readFile(file('config.toml'), 'utf8')}[tui]\n`)
    const hooks = JSON.parse(await readFile(file('hooks.json'), 'utf8'))
    hooks.hooks.Stop.push({ hooks: [{ type: 'command', command: 'mine' }] })
    await writeFile(file('hooks.json'), JSON.stringify(hooks))
    await disconnect(home, codex)
    expect(await readFile(file('config.toml'), 'utf8')).toBe('model = "gpt-5"\n[tui]\n')
    expect(JSON.parse(await readFile(file('hooks.json'), 'utf8'))).toEqual({
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'mine' }] }] },
    })
  })
})
