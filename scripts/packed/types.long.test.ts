/**
 * The types of the packages in an app: the oldest and the newest of each major of `ai` and of each zod that it takes, with TypeScript 5
 * and 7, and for each way of finding modules.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { packageEntries } from '../package-entries.ts'
import { CHAT_TEMPLATE, COMMON_JS_HOST } from './chat-template.ts'
import { createReader, type Reader } from './reader.ts'

/** The oldest that the peer dependencies allow, and the newest of each major, with the package for React that belongs to it. */
const SDKS = [
  { ai: '5.0.0', react: '2.0.0' },
  { ai: '5', react: '2' },
  { ai: '6.0.0', react: '3.0.0' },
  { ai: '6', react: '3' },
  { ai: '7.0.0', react: '4.0.0' },
  { ai: '7', react: '4' },
]

/** The oldest that `ai` takes, of zod 3 and of zod 4 (in `ai` 6 and 7), and the newest. */
const ZODS = ['3.25.76', '4.1.8', 'latest']

const REACT = ['react@19', '@types/react@19']

const STRICTEST = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, verbatimModuleSyntax: true }

const NODENEXT = { module: 'nodenext', ...STRICTEST }
const BUNDLER = { module: 'esnext', moduleResolution: 'bundler', ...STRICTEST }
/** As `create-next-app` sets it. */
const NEXT = { module: 'esnext', moduleResolution: 'bundler', strict: true, noUncheckedIndexedAccess: false, isolatedModules: true }

/** TypeScript 5 also checks our declarations. */
const WAYS = [
  { name: 'TypeScript 5, nodenext', compiler: 'typescript-5', options: NODENEXT },
  { name: 'TypeScript 5, bundler', compiler: 'typescript-5', options: BUNDLER },
  { name: 'TypeScript 7, nodenext', compiler: 'typescript', options: { ...NODENEXT, skipLibCheck: true } },
  { name: 'TypeScript 7, bundler', compiler: 'typescript', options: { ...BUNDLER, skipLibCheck: true } },
  { name: 'TypeScript 7, Next.js', compiler: 'typescript', options: { ...NEXT, skipLibCheck: true } },
] as const

const entries = packageEntries(fileURLToPath(new URL('../../packages/core', import.meta.url)))

const everyEntry = entries.map(({ specifier }, index) => `export * as entry${index} from '${specifier}'`).join('\n')

const writeApp = async ({ folder }: Reader): Promise<void> => {
  for (const part of ['app', 'lib', 'cjs', 'out']) await mkdir(join(folder, part), { recursive: true })
  for (const part of ['app', 'lib']) await writeFile(join(folder, part, 'package.json'), '{ "type": "module" }\n')
}

describe.each(SDKS)('in an app with ai $ai', ({ ai, react }) => {
  it.each(ZODS)('and zod %s the types compile without a cast', async (zod) => {
    const reader = await createReader()
    await reader.install(['@hermes/core', '@hermes/ai-sdk', `ai@${ai}`, `@ai-sdk/react@${react}`, `zod@${zod}`, ...REACT])
    await writeApp(reader)
    const app = { ...CHAT_TEMPLATE, 'lib/entries.ts': everyEntry }
    const failed: Record<string, readonly string[]> = {}
    for (const { name, compiler, options } of WAYS) {
      const programs = options.module === 'nodenext' ? { ...app, 'cjs/host.cts': COMMON_JS_HOST } : app
      const errors = await reader.compile(programs, compiler, options)
      if (errors.length > 0) failed[name] = errors.map((error) => error.split('\n', 1)[0] ?? '')
    }
    expect(failed).toEqual({})
  })
})
