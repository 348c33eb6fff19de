import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, connectionState, disconnect, HOST_SETUPS, type HostSetup } from '@hermes/coding-agents'
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

const connectNow = async () => connect(home, claude, await claude.plan())

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
    await expect(claude.plan()).rejects.toThrow('is not JSON, so nothing was changed')
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
      { path: join(config, 'CLAUDE.md'), writtenBy: 'hand', bytes: 9 },
      { path: join(notes, 'MEMORY.md'), writtenBy: 'model', bytes: 5 },
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
  ])('and disconnecting leaves every byte as it was: %s', async (_, settings, hooks) => {
    if (settings !== undefined) {
      await mkdir(config)
      await writeFile(file('config.toml'), settings)
      await writeFile(file('hooks.json'), hooks ?? '')
    }
    const first = await snapshot()
    await connect(home, codex, await codex.plan())
    expect(await readFile(file('config.toml'), 'utf8')).toContain('[mcp_servers.hermes]')
    expect(JSON.parse(await readFile(file('hooks.json'), 'utf8')).hooks.SessionStart).toHaveLength(1)
    expect(await disconnect(home, codex)).toMatchObject({ edited: [], kept: [] })
    expect(await snapshot()).toEqual(first)
  })

  it('takes out only its own of files that were changed meanwhile', async () => {
    await mkdir(config)
    await writeFile(file('config.toml'), 'model = "gpt-5"\n')
    await connect(home, codex, await codex.plan())
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
