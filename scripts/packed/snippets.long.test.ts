/**
 * Every code block of the READMEs and of docs/: a program runs with the packed packages and prints what the page says, a command runs, or the test that
 * runs it is named. A block that cannot run here says why in a comment before it, `<!-- not run: … -->`, and is compiled.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { PUBLISHED } from '../support/published.ts'
import { createReader, type Reader, userEnvironment } from './reader.ts'
import { commandsIn, consoleCommands, planOf } from './snippets/commands.ts'
import { answerReaders } from './snippets/model.ts'
import { blocksOf, filesBuiltUp, folderOf, isCompiled, pages, programs, textOf } from './snippets/page-programs.ts'
import { PLATFORMS } from './snippets/platforms.ts'

/** The majors of `ai` and its providers are those that npm chooses on Node 20; packages/ai-sdk/test tries all. */
const DEPENDENCIES =
  'ai@6 @ai-sdk/openai@3 @ai-sdk/anthropic@3 @ai-sdk/react@3 react @types/react langchain @langchain/core @langchain/classic @langchain/openai @langchain/langgraph pg vitest zod'

const mock = new LLMock({ port: 0, strict: true })
let reader: Reader

beforeAll(async () => {
  answerReaders(mock)
  await mock.start()
  reader = await createReader()
  await reader.install([...PUBLISHED.map((name) => `@hermes/${name}`), ...DEPENDENCIES.split(' ')])
}, 300_000)

afterAll(() => mock.stop())

const environment = (page: string): NodeJS.ProcessEnv => {
  const env = userEnvironment(join(reader.home, folderOf(page)))
  return {
    ...env,
    OPENAI_API_KEY: 'local',
    OPENAI_BASE_URL: `${mock.url}/v1`,
    PATH: `${join(reader.folder, 'node_modules/.bin')}:${env['PATH'] ?? ''}`,
    NO_COLOR: '1',
  }
}

const runIn = async (page: string, program: string, args: readonly string[]): Promise<string> => {
  const cwd = join(reader.folder, folderOf(page))
  const home = join(reader.home, folderOf(page))
  for (const folder of [cwd, home]) await mkdir(folder, { recursive: true })
  // For `npx @hermes/cli`.
  await writeFile(join(home, '.npmrc'), `@hermes:registry=${inject('packed').registry}\n`)
  const { stdout } = await promisify(execFile)(program, args, { cwd, env: environment(page), timeout: 120_000 }).catch((cause: unknown) => {
    const { stdout: said = '', stderr = '' } = Object(cause) as { stdout?: string; stderr?: string }
    throw new Error(`${program} ${args.join(' ')}\n${said}${stderr}`, { cause })
  })
  return stdout
}

describe('the programs', () => {
  it('compile with the packed packages', async () => {
    const files: Record<string, string> = { 'platforms.d.ts': PLATFORMS }
    for (const page of pages) {
      const all = programs(page).filter(isCompiled)
      // Programs of a plan may import what the page builds up.
      if (programs(page).some(({ plan }) => plan.kind === 'program'))
        for (const [name, code] of Object.entries(filesBuiltUp(page))) files[`${folderOf(page)}/${name}`] = code
      for (const each of all) files[`${folderOf(page)}/${each.file}`] = textOf(each)
    }
    for (const file of Object.keys(files)) await mkdir(dirname(join(reader.folder, file)), { recursive: true })
    for (const folder of pages.flatMap((page) => [folderOf(page), join('out', folderOf(page))])) {
      await mkdir(join(reader.folder, folder), { recursive: true })
      await writeFile(join(reader.folder, folder, 'package.json'), '{ "type": "module" }\n')
    }
    expect(await reader.compile(files, 'typescript')).toEqual([])
  }, 120_000)

  // The READMEs of the other packages are compiled with it.
  it('of @hermes/postgres compile with TypeScript 5 too', async () => {
    const program = `
      import { type PostgresClient, postgresBackend } from '@hermes/postgres'
      import * as recall from '@hermes/postgres/recall'
      declare const client: PostgresClient
      export const all = [postgresBackend(client), recall]`
    expect(await reader.compile({ 'postgres.mts': program, 'postgres.cts': program })).toEqual([])
  })

  const runnable = pages.flatMap((page) => programs(page).flatMap((each) => (each.plan.kind === 'program' ? [{ page, ...each }] : [])))

  it.each(runnable.filter(({ file }) => !/\.test\.ts$/.test(file)).map((each) => ({ ...each, at: `${each.page}:${each.block.line}` })))(
    'run: $at',
    async ({ page, file, block, plan }) => {
      if (plan.kind !== 'program') return
      const isScript = extname(file) === '.mjs'
      const path = join(reader.folder, isScript ? '' : 'out', folderOf(page), file.replace(/\.ts$/, '.js'))
      if (isScript) {
        await mkdir(dirname(path), { recursive: true })
        await writeFile(path, textOf({ file, block, plan }).replace(/(from '\.[^']*)\.ts'/g, "$1.js'"))
        for (const name of Object.keys(filesBuiltUp(page)).map((each) => each.replace(/\.ts$/, '.js')))
          await cp(join(reader.folder, 'out', folderOf(page), name), join(dirname(path), name))
      }
      // A page that runs its programs in a console block shows what they print there.
      if (blocksOf(page).some(({ language, code }) => language === 'console' && code.includes(file))) return
      const printed = await runIn(page, 'node', [path])
      const all = blocksOf(page)
      const next = all[all.findIndex(({ line }) => line === block.line) + 1]
      const prints = plan.prints ?? (next?.language === 'text' ? next.code : undefined)
      if (prints instanceof RegExp) expect(printed).toMatch(prints)
      else if (prints !== undefined) expect(printed).toBe(prints)
      else expect(printed.trim() !== '').toBe(/console\.log|process\.stdout/.test(block.code))
    },
  )

  const tests = runnable.filter(({ file }) => /\.test\.ts$/.test(file))

  it('that are tests pass', async () => {
    expect(tests.length).toBeGreaterThan(0)
    for (const page of new Set(tests.map((each) => each.page))) {
      const vitest = join(reader.folder, 'node_modules/vitest/vitest.mjs')
      const files = tests.filter((each) => each.page === page)
      const report = await runIn(page, process.execPath, [vitest, 'run', '--root', '.', '--reporter=json'])
      const { numPassedTests, numFailedTests }: Record<string, number> = JSON.parse(report.slice(report.indexOf('{')))
      expect({ numPassedTests, numFailedTests }).toEqual({ numPassedTests: files.length, numFailedTests: 0 })
    }
  }, 120_000)
})

describe('the commands', () => {
  const consoles = pages.filter((page) => !page.startsWith('examples/') && blocksOf(page).some(({ language }) => language === 'console'))

  it.each(consoles)(
    'of %s print what the page shows',
    async (page) => {
      for (const { code } of blocksOf(page).filter(({ language }) => language === 'console')) {
        for (const { command, output } of consoleCommands(code)) {
          const printed = await runIn(page, 'sh', ['-c', command])
          if (output.trim() === '…') expect(printed.trim()).not.toBe('')
          else expect(`${command}\n${printed.trimEnd()}`).toBe(`${command}\n${output.trimEnd()}`)
        }
      }
    },
    120_000,
  )

  it('told the model in the second conversation what was said in the first', () => {
    const asked = mock
      .getRequests()
      .flatMap(({ body }) => (JSON.stringify(body).includes('Where do I live?') ? [JSON.stringify(body)] : []))
    expect(asked.length).toBeGreaterThan(2)
    for (const body of asked) expect(body).toContain('Lives in Lisbon.')
  })

  const lines = pages.flatMap((page) =>
    blocksOf(page).flatMap(({ language, code }) =>
      language === 'sh' ? commandsIn(code).flatMap((line) => (planOf(line) === 'run' ? [{ page, line }] : [])) : [],
    ),
  )

  it.each(lines)('$line ($page)', async ({ page, line }) => {
    await runIn(page, 'sh', ['-c', line])
  })
})

it('the settings of docs/configuration.md are read without an error or a warning', async () => {
  const [settings] = blocksOf('docs/configuration.md').filter(({ language }) => language === 'yaml')
  const home = join(reader.folder, 'settings')
  await mkdir(home, { recursive: true })
  await writeFile(join(home, 'config.yaml'), settings?.code ?? '')
  const program = `
import { fileSystemBackend } from '@hermes/core/file-system'
import { readHermesConfig, toHermesOptions } from '@hermes/core/config'
const read = await readHermesConfig(fileSystemBackend(${JSON.stringify(home)}))
console.log(JSON.stringify(read.ok ? { warnings: read.value.warnings, options: Object.keys(toHermesOptions(read.value.config)) } : read.error))`
  await writeFile(join(reader.folder, 'settings.mjs'), program)
  const answer: { warnings?: readonly unknown[]; options?: readonly string[] } = JSON.parse(await reader.execute('node', ['settings.mjs']))
  expect(answer.warnings).toEqual([])
  expect(answer.options).toEqual(['memory', 'nudge', 'curator'])
})
