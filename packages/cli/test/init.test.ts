import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inMemoryBackend } from '@hermes/core'
import { readHermesConfig } from '@hermes/core/config'
import { updateDocument } from '@hermes/core/storage'
import { describe, expect, it } from 'vitest'
import { configTemplate } from '../src/commands/init/config-template.ts'
import { FRAMEWORKS, NO_FRAMEWORK } from '../src/commands/init/frameworks.ts'
import { runHermes, runJson, temporaryHome, writeHome } from './run-hermes.ts'

const repository = (path: string): string => readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8')

const reading = async (text: string) => {
  const storage = inMemoryBackend()
  await updateDocument(storage, 'config.yaml', () => new TextEncoder().encode(text))
  const read = await readHermesConfig(storage)
  if (!read.ok) throw read.error
  return read.value
}

/** As its first lines tell a person to do. */
const uncommented = (text: string): string => text.replace(/^#(?=[a-z]| {2})/gm, '')

describe('the config.yaml of hermes init', () => {
  it('sets nothing as it is, and every setting without its comments', async () => {
    expect(await reading(configTemplate())).toMatchObject({ settings: [], warnings: [], foreignKeys: [] })
    const { settings, warnings, config } = await reading(uncommented(configTemplate()))
    expect(warnings.map(({ key, message }) => `${key} ${message}`)).toEqual([
      "memory.provider_options has no effect: 'memory.provider' names no provider",
    ])
    const lists = ['skills.shared', 'memory.provider_options']
    expect(settings.map(({ key }) => key).filter((key) => !lists.includes(key))).toHaveLength(23)
    expect(config).toMatchObject({
      memory: { provider: '', recallChars: 1600 },
      skills: { shared: [] },
      curator: { backup: { retainWeeks: 4 } },
    })
  })

  it('has the defaults that the documentation states', () => {
    const [, block = ''] = /```yaml\n(memory:\n {2}memory_enabled[\s\S]*?)```/.exec(repository('docs/configuration.md')) ?? []
    const valuesOf = (yaml: string) =>
      new Map([...yaml.matchAll(/^ +([a-z_]+): ([^\s#]+)/gm)].map(([, key = '', value = '']) => [key, value] as const))
    const ours = valuesOf(uncommented(configTemplate()))
    const examples = ['provider', 'retain_days', 'embed']
    const stated = [...valuesOf(block)].filter(([key]) => !examples.includes(key))
    expect(stated.length).toBeGreaterThan(15)
    for (const [key, value] of stated) expect([key, ours.get(key)]).toEqual([key, value])
  })
})

describe('the lines of hermes init', () => {
  it.each(FRAMEWORKS)('for $name are those of the README', ({ lines, packages, readme }) => {
    const text = repository(`packages/${readme}/README.md`)
    for (const line of lines) expect(text).toContain(`${line}\n`)
    for (const name of packages) expect(text).toContain(name)
  })

  it('without a framework are those of the READMEs', () => {
    const text = `${repository('README.md')}${repository('packages/core/README.md')}`
    for (const line of NO_FRAMEWORK.lines) expect(text).toContain(`${line}\n`)
  })

  it.each([...FRAMEWORKS, { name: 'no framework', lines: NO_FRAMEWORK.lines }])(
    'for $name import and declare what they use',
    ({ lines }) => {
      const code = lines.join('\n').replaceAll(/ \/\/ .*/g, '')
      const known = [...code.matchAll(/(?:import|const) (?:\{ ([^}]+) \}|(\w+))/g)].flatMap(
        ([, names, name]) => names?.split(', ') ?? [name],
      )
      const bare = code.replaceAll(/'[^']*'/g, "''")
      const called = [...bare.matchAll(/(?<![.\w])([A-Za-z]\w*)\(/g)].map(([, name]) => name)
      const given = [...bare.matchAll(/[({,] ?(model|prompt|hermes|homes|session)(?=[ ,)])/g)].map(([, name]) => name)
      expect(known).toEqual(expect.arrayContaining([...called, ...given]))
    },
  )
})

const appWith = (dependencies: Readonly<Record<string, string>>, files: Readonly<Record<string, string>> = {}): string => {
  const app = temporaryHome()
  writeHome(app, { 'package.json': JSON.stringify({ dependencies }), '.git/HEAD': '', ...files })
  return app
}

describe('hermes init', () => {
  it('creates the home with a config.yaml for its owner alone, once', async () => {
    const home = join(temporaryHome(), 'home')
    const app = appWith({ ai: '^6.0.1' })
    const first = await runHermes(['init', '--app', app, '--home', home])
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toContain(`Wrote ${home}/config.yaml`)
    expect([statSync(home).mode & 0o77, statSync(join(home, 'config.yaml')).mode & 0o77]).toEqual([0, 0])
    expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe(configTemplate())
    writeHome(home, { 'config.yaml': 'memory: { nudge_interval: 3 }\n' })
    expect((await runHermes(['init', '--app', app, '--home', home])).stdout).toContain('exists already')
    expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe('memory: { nudge_interval: 3 }\n')
  })

  it.each([
    [{ ai: '^5.0.0' }, 'ai', 'pnpm add @hermes/ai-sdk @hermes/core', 'pnpm-lock.yaml'],
    [{ ai: 'latest', next: '16.0.0' }, 'next', 'yarn add @hermes/ai-sdk @hermes/core', 'yarn.lock'],
    [
      { langchain: '~1.1.0', '@langchain/core': '1' },
      'langchain',
      'npm install @hermes/langchain @hermes/core @langchain/core @langchain/langgraph',
      'none',
    ],
    [{ '@openai/agents': '^0.20.0', zod: '4' }, '@openai/agents', 'npm install @hermes/openai-agents @hermes/core', 'none'],
    [{ langchain: '0.3.9' }, 'langchain', 'npm install @hermes/langchain @hermes/core @langchain/core', 'package-lock.json'],
    [{ '@langchain/langgraph': '^1.0.0' }, '@langchain/langgraph', 'npm install @hermes/langchain @hermes/core @langchain/core', 'none'],
    [{ '@langchain/core': '1' }, '@langchain/core', 'npm install @hermes/langchain @hermes/core', 'none'],
  ])('finds out what %j needs', async (dependencies, dependency, install, lock) => {
    const app = appWith(dependencies, { [lock]: '' })
    const { told } = await runJson(['init', '--app', app, '--home', temporaryHome()])
    expect(told.value).toMatchObject({
      framework: { dependency },
      install,
      lines: expect.arrayContaining([expect.stringContaining('@hermes/core')]),
    })
  })

  it('says so for an old version, no framework and no package.json', async () => {
    const told = async (app: string) => (await runHermes(['init', '--app', app, '--home', temporaryHome()])).stdout
    expect(await told(appWith({ ai: '^4.3.0' }))).toContain('needs version 5 or newer')
    expect(await told(appWith({ express: '5' }))).toContain('uses @hermes/core')
    expect(await told(temporaryHome())).toContain('There is no package.json here')
    const broken = temporaryHome()
    writeHome(broken, { 'package.json': '{' })
    expect(await told(broken)).toContain('There is no package.json here')
  })

  it.each([{ ai: '^6.0.1' }, { ai: '6', next: '16.0.0' }, { '@langchain/core': '1' }, { express: '5' }])(
    'prints the home that it wrote to, for %j',
    async (dependencies) => {
      const home = join(temporaryHome(), "it's $& home")
      const { stdout } = await runHermes(['init', '--app', appWith(dependencies), '--home', home])
      expect(stdout).toContain(`fileSystemBackend('${home.replace("'", "\\'")}')`)
      expect(stdout).not.toContain('~/.hermes')
    },
  )

  it('prints the home of the README for the default home, and the way without a framework', async () => {
    const env = { HOME: temporaryHome() }
    const { stdout } = await runHermes(['init', '--app', appWith({ express: '5' })], { env })
    expect(stdout).toContain("fileSystemBackend('~/.hermes')")
    expect(stdout).toContain('npm install @hermes/core\n')
  })

  it('only prints on request', async () => {
    const home = join(temporaryHome(), 'home')
    expect((await runHermes(['init', '--print', '--home', home])).stdout).toBe(configTemplate())
    expect(existsSync(home)).toBe(false)
  })

  it('refuses a home that is a file', async () => {
    const home = temporaryHome()
    writeHome(home, { file: '' })
    expect(await runHermes(['init', '--home', join(home, 'file')])).toMatchObject({ code: 1, stdout: '' })
  })
})
