/** Follows each README with npm in an empty folder: every install line works, every program compiles and does what the README says. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { programOf } from '../support/run-program.ts'
import { type Compiler, createReader, type Reader } from './reader.ts'
import { installsIn, programsIn, toCommonJs } from './readme-code.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const mock = new LLMock({ port: 0, strict: true })

const readmeOf = (folder: string): Promise<string> => readFile(join(ROOT, folder, 'README.md'), 'utf8')

const fact = (about: RegExp, target: 'memory' | 'user', content: string, answer: string): void => {
  const remember = { name: 'memory', arguments: JSON.stringify({ target, action: 'add', content }) }
  mock.on({ userMessage: about, hasToolResult: false }, { toolCalls: [remember] })
  mock.on({ userMessage: about, hasToolResult: true }, { content: answer })
}

beforeAll(async () => {
  fact(/remember that I prefer tabs/, 'user', 'Prefers tabs over spaces.', 'I will remember that.')
  fact(/Kamal/, 'memory', 'We deploy with Kamal.', 'Noted.')
  mock.on({ userMessage: /I prefer tabs/ }, { content: 'Tabs it is.' })
  mock.on({ userMessage: /Hello/ }, { content: 'Hello to you.' })
  await mock.start()
})

afterAll(async () => {
  await mock.stop()
})

/** Code that the root README expects in the reader's own program, by the package that a block is about. */
const READERS_OWN = {
  'ai-sdk': `
    import { openai } from '@ai-sdk/openai'
    const yourModel = openai('gpt-5-mini')
    const yourTools = {}
    const messages = [{ role: 'user' as const, content: 'Hello' }]`,
  langchain: `
    import { createHermes, inMemoryBackend } from '@hermes/core'
    import { HermesMemory } from '@hermes/langchain'
    import { ConversationChain } from '@langchain/classic/chains'
    import { ChatOpenAI } from '@langchain/openai'
    const model = new ChatOpenAI({ model: 'gpt-5-mini' })
    const chain = new ConversationChain({ llm: model })
    const session = createHermes({ storage: inMemoryBackend() }).session('chat-42')`,
}

/** The block of the root README about a package, with the code it expects, as a program to compile. */
const rootProgram = async (about: keyof typeof READERS_OWN): Promise<Readonly<Record<string, string>>> => {
  const blocks = programsIn(await readmeOf('.'))
  const block =
    about === 'ai-sdk' ? blocks.find((code) => code.includes('@hermes/ai-sdk')) : blocks.find((code) => code.includes('HermesMemory'))
  expect(block).toBeDefined()
  const program = `${READERS_OWN[about]}\n${block}`
  return { 'root.mts': program }
}

/**
 * Compiles and runs a program as an ES module and as CommonJS, each with a separate home; returns both outputs. `others` are compiled with
 * it.
 */
const runBothWays = async (
  reader: Reader,
  program: string,
  others: Readonly<Record<string, string>> = {},
  compiler?: Compiler,
): Promise<{ readonly esm: string; readonly cjs: string }> => {
  expect(await reader.compile({ 'readme.mts': program, 'readme.cts': toCommonJs(program), ...others }, compiler)).toEqual([])
  const env = {
    OPENAI_API_KEY: 'local',
    OPENAI_BASE_URL: `${mock.url}/v1`,
    OPENAI_AGENTS_DISABLE_TRACING: '1',
    MASTRA_TELEMETRY_DISABLED: '1',
  }
  const printed = (file: string) => reader.execute('node', [`out/${file}`], { ...env, HOME: join(reader.home, file) })
  return { esm: await printed('readme.mjs'), cjs: await printed('readme.cjs') }
}

/** The home of Alice in the storage of a server. */
const ALICE = '.hermes-server/homes/~none/alice'

const memoryOf = (reader: Reader, file: string, document: string, home = '.hermes'): Promise<string> =>
  readFile(join(reader.home, file, home, 'memories', document), 'utf8')

describe('a reader of the README of', () => {
  it('@hermes/core', async () => {
    const readme = await readmeOf('packages/core')
    const reader = await createReader()
    const installs = installsIn(readme)
    expect(installs).toHaveLength(1)
    for (const names of installs) await reader.install(names)
    const { esm, cjs } = await runBothWays(reader, programsIn(readme).join('\n'))
    expect(esm).toMatch(/USER PROFILE \(who the user is\)[\s\S]*The user lives in Lisbon/)
    expect(cjs).toBe(esm)
  })

  it('@hermes/ai-sdk', async () => {
    const readme = await readmeOf('packages/ai-sdk')
    const reader = await createReader()
    const installs = installsIn(readme)
    expect(installs).toHaveLength(1)
    for (const names of installs) await reader.install(names)
    // The second one is a server, which packages/ai-sdk/test/readme.test.ts runs.
    const [example = '', server = ''] = programsIn(readme)
    const servers = { 'server.mts': server, 'server.cts': toCommonJs(server) }
    const { esm, cjs } = await runBothWays(reader, example, { ...(await rootProgram('ai-sdk')), ...servers })
    expect(esm).toBe('I will remember that.\n')
    expect(cjs).toBe(esm)
    expect(await memoryOf(reader, 'readme.cjs', 'USER.md')).toBe('Prefers tabs over spaces.')
  })

  it('@hermes/langchain, with LangChain 1', async () => {
    const readme = await readmeOf('packages/langchain')
    const reader = await createReader()
    const [own, forExamples, ...rest] = installsIn(readme)
    expect(rest).toHaveLength(1)
    await reader.install(own ?? [])
    await reader.install(forExamples ?? [])
    const { esm, cjs } = await runBothWays(reader, programsIn(readme).join('\n'), await rootProgram('langchain'), 'typescript')
    expect(esm).toBe('Tabs it is.\nHello to you.Noted.\n')
    expect(cjs).toBe(esm)
    expect(await memoryOf(reader, 'readme.cjs', 'MEMORY.md', ALICE)).toBe('We deploy with Kamal.')
  })

  it('@hermes/langchain, with LangChain 0.3', async () => {
    const readme = await readmeOf('packages/langchain')
    const reader = await createReader()
    await reader.install(installsIn(readme).at(-1) ?? [])
    const [chain = '', pipe = ''] = programsIn(readme)
    // The change that the README gives for 0.3.
    const { esm, cjs } = await runBothWays(reader, `${chain}\n${pipe}`.replace('@langchain/classic/chains', 'langchain/chains'))
    expect(esm).toBe('Tabs it is.\nHello to you.')
    expect(cjs).toBe(esm)
  })

  it.each(['0.4.0', 'latest'])('@hermes/openai-agents, with @openai/agents %s', async (version) => {
    const readme = await readmeOf('packages/openai-agents')
    const reader = await createReader()
    const [names = [], ...rest] = installsIn(readme)
    expect(rest).toEqual([])
    await reader.install(names.map((name) => (name === '@openai/agents' ? `${name}@${version}` : name)))
    // The second one is a server, which packages/openai-agents/test/readme.test.ts runs.
    const [example = '', server = ''] = programsIn(readme)
    const servers = { 'server.mts': server, 'server.cts': toCommonJs(server) }
    const { esm, cjs } = await runBothWays(reader, example, servers, 'typescript')
    expect(esm).toBe('I will remember that.\n')
    expect(cjs).toBe(esm)
    expect(await memoryOf(reader, 'readme.cjs', 'USER.md')).toBe('Prefers tabs over spaces.')
  })

  it('@hermes/ai-sdk in Mastra, as docs/hosts.md shows', async ({ skip }) => {
    const reader = await createReader()
    skip(Number.parseInt(await reader.execute('node', ['-p', 'process.versions.node']), 10) < 22, 'Mastra 1 needs Node 22.')
    await reader.install(['@hermes/core', '@hermes/ai-sdk', 'ai@6', '@ai-sdk/openai@3', '@mastra/core@1', 'zod'])
    const { esm, cjs } = await runBothWays(reader, await programOf(join(ROOT, 'docs/hosts.md'), 'mastra-server'), {}, 'typescript')
    expect(esm).toBe('Hello to you.\n')
    expect(cjs).toBe(esm)
    const [ada = ''] = await readdir(join(reader.home, 'readme.cjs/.hermes-server/homes/~none'))
    expect(`${await readdir(join(reader.home, 'readme.cjs/.hermes-server/homes/~none', ada, 'sessions'))}`).toContain('chat-42')
  })

  it('@hermes/otel', async () => {
    const readme = await readmeOf('packages/otel')
    const reader = await createReader()
    const installs = installsIn(readme)
    expect(installs).toHaveLength(1)
    for (const names of installs) await reader.install(names)
    const { esm, cjs } = await runBothWays(reader, programsIn(readme).join('\n'))
    for (const printed of [esm, cjs]) {
      expect(printed).toMatch(/name: 'upsert_memory'/)
      expect(printed).toMatch(/'hermes\.review\.applied': 1/)
      expect(printed).toMatch(/'hermes\.events'/)
      expect(printed).not.toContain('Lisbon')
    }
  })

  it('@hermes/recall', async () => {
    const readme = await readmeOf('packages/recall')
    const reader = await createReader()
    const installs = installsIn(readme)
    expect(installs).toHaveLength(1)
    for (const names of installs) await reader.install(names)
    const hasSqlite = await reader.execute('node', ['-p', "process.getBuiltinModule?.('node:sqlite') !== undefined"])
    expect(readme).toContain('`npm install libsql`')
    if (hasSqlite.trim() === 'false') await reader.install(['libsql'])
    const { esm, cjs } = await runBothWays(reader, programsIn(readme).join('\n'))
    expect(esm).toBe('chat-1 We picked up a puppy on Sunday, called Biscuit.\n')
    expect(cjs).toBe(esm)
  })

  it('@hermes/testing', async () => {
    const readme = await readmeOf('packages/testing')
    const reader = await createReader()
    const [names = []] = installsIn(readme)
    await reader.install(names)
    const [example = ''] = programsIn(readme)
    expect(await reader.compile({ 'back-end.mts': example })).toEqual([])
    await writeFile(join(reader.folder, 'back-end.test.ts'), example)
    const report = await reader.execute('node', ['node_modules/vitest/vitest.mjs', 'run', '--root', '.', '--reporter=json'])
    const { numPassedTests, numFailedTests }: Record<string, number> = JSON.parse(report.slice(report.indexOf('{')))
    expect(numFailedTests).toBe(0)
    expect(numPassedTests).toBeGreaterThan(50)
  })

  it('@hermes/cli', async () => {
    const readme = await readmeOf('packages/cli')
    const reader = await createReader()
    const [names = []] = installsIn(readme)
    expect(names[0]).toBe('--global')
    await reader.install(['--prefix', join(reader.folder, 'global'), ...names])
    const hermes = join(reader.folder, 'global/bin/hermes')
    await reader.execute(hermes, ['memory', 'add', '--to', 'user', 'Prefers tabs.'])
    expect(await reader.execute(hermes, ['memory', 'show'])).toContain('Prefers tabs.')
    await reader.execute(hermes, ['pending'])
  })
})
