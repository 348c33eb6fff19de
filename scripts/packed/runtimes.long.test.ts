/**
 * The packed packages on what is not Node: Bun and Deno with a home on disk, and workerd, which runs Cloudflare's Workers, with one in memory. Each learns from a
 * conversation over the AI SDK, and the next conversation knows it.
 */
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, expect, it } from 'vitest'
import { createReader, type Reader } from './reader.ts'

const RUNTIMES = ['bun@1.4.5', 'deno@2.9.6', 'miniflare@4.20260730.0']
const PROGRAMS = ['conversation.mjs', 'with-files.mjs', 'worker.mjs', 'run-worker.mjs']
const CONVERSATIONS = [
  ['monday', 'I live in Lisbon'],
  ['tuesday', 'Hello'],
] as const

const ENTRIES = [expect.objectContaining({ content: 'The user lives in Lisbon' })]
const LEARNED = [
  { answer: 'Lovely!', isKnown: false, entries: ENTRIES },
  { answer: 'Lovely!', isKnown: true, entries: ENTRIES },
]

let reader: Reader

beforeAll(async () => {
  reader = await createReader()
  await reader.install(['@hermes/core', '@hermes/ai-sdk', 'ai@7', ...RUNTIMES])
  await mkdir(join(reader.folder, 'out'))
  for (const file of PROGRAMS) await copyFile(join(import.meta.dirname, 'runtimes', file), join(reader.folder, file))
}, 600_000)

it.each([
  ['Bun', 'bun', []],
  ['Deno', 'deno', ['run', '--allow-all']],
] as const)('%s: each conversation is a process of its own', async (_, name, args) => {
  const home = join(reader.home, name)
  const printed: unknown[] = []
  for (const [id, prompt] of CONVERSATIONS) {
    const program = join(reader.folder, 'node_modules/.bin', name)
    printed.push(JSON.parse(await reader.execute(program, [...args, 'with-files.mjs', home, id, prompt])))
  }
  // Without a warning: the home is locked as by Node.
  expect(printed).toEqual(LEARNED.map((each) => ({ ...each, warnings: [] })))
})

it('workerd: both conversations are requests, without any module of Node', async () => {
  await build({
    absWorkingDir: reader.folder,
    entryPoints: ['worker.mjs'],
    outfile: 'out/worker.mjs',
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'silent',
  })
  // Miniflare needs a newer Node than the packages.
  const printed = await reader.execute(process.execPath, ['run-worker.mjs', 'out/worker.mjs', JSON.stringify(CONVERSATIONS)])
  expect(JSON.parse(printed)).toEqual(LEARNED)
})
