/** What a new process loads before it has the text of a session: each file, and each expression that V8 compiles with it, costs time at every start. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const DIST = fileURLToPath(new URL('../packages/core/dist/esm', import.meta.url))
const PROGRAM = fileURLToPath(new URL('trace-start.mjs', import.meta.url))
const run = promisify(execFile)
let home = ''

interface Start {
  readonly files: readonly string[]
  readonly later: readonly string[]
  readonly text: string
  readonly written?: boolean
}

/** With a fact, it is written after the start. */
const start = async (fact = ''): Promise<Start> => JSON.parse((await run(process.execPath, [PROGRAM, home, fact])).stdout)

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'hermes-start-'))
})

afterAll(() => rm(home, { recursive: true, force: true }))

/** The bundler numbers the files of modules with one name. */
const fileOf = (module: string) => expect.stringMatching(new RegExp(`^${module}\\d*\\.js$`))

const AT_START = ['files.js', 'index.js', 'main.js', 'shared.js', 'storage/files/index.js']

it('loads five files before the text of a session that an earlier one has kept, without zod, what counts and saves turns, and the rules of memory, skills, reviews and the curator', async () => {
  const first = await start('The build runs with pnpm.')
  expect(first.written).toBe(true)
  expect(first.later).toContainEqual(fileOf('journal'))
  // It renders the text and keeps it.
  expect((await start()).files).toContainEqual(fileOf('freeze-block'))
  const third = await start()
  expect(third.text).toContain('The build runs with pnpm.')
  expect([...third.files].sort()).toEqual(AT_START)
})

/** Bytes of all of these. It is what the start has come to: only lower it. */
const MOST_BYTES = 179_000

it(`reads at most ${MOST_BYTES} bytes of JavaScript for it`, async () => {
  const { files } = await start()
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(DIST, file))).size))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES)
  // So that the figure follows what is saved.
  expect(bytes).toBeGreaterThan(0.97 * MOST_BYTES)
})

/** A literal, not a string, that names a Unicode property. */
const UNICODE_LITERAL = /[=(:,?[>]\s*\/(?![*/])[^\n]*(?<!\\)\\p\{[^\n]*\/[dgimsy]*[uv]/

it('recognises literals with a Unicode property', () => {
  expect(String.raw`const a = /^\p{L}/gu;`).toMatch(UNICODE_LITERAL)
  expect(String.raw`text.replace(/[\p{M}a]+/giu, "")`).toMatch(UNICODE_LITERAL)
  expect('lazyPattern(String.raw`\\p{L}/`, "u")').not.toMatch(UNICODE_LITERAL)
})

// In the sources, which the maps hold.
it.each(AT_START.filter((file) => !file.endsWith('index.js')))(
  'has no literal in %s whose sets of characters V8 computes when it loads the file',
  async (file) => {
    const { sourcesContent } = JSON.parse(await readFile(join(DIST, `${file}.map`), 'utf8'))
    const lines = sourcesContent.flatMap((source: string) => source.split('\n'))
    expect(lines.length).toBeGreaterThan(20)
    expect(lines.filter((line: string) => UNICODE_LITERAL.test(line))).toEqual([])
  },
)
