/** Tests of the built packages: they run on the user's Node, entries for edge platforms import no Node module, and no type is zod's. */
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { access, constants, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { IS_LONG_RUN } from './support/rounds.ts'
import { usersNode } from './support/users-node.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

/**
 * The imports of a built package that lead outside it, without types and late imports. Ignores imports of third parties among themselves.
 */
const outsideImports = async (packageFolder: string, entry: string): Promise<readonly string[]> => {
  const dist = join(ROOT, packageFolder, 'dist/esm')
  const { stdout } = await run(process.execPath, [join(ROOT, 'scripts/trace-imports.mjs'), join(dist, entry)])
  const imports: readonly (readonly [string, string])[] = JSON.parse(stdout)
  const own = imports.filter(([importer]) => importer.startsWith(pathToFileURL(dist).href)).map(([, specifier]) => specifier)
  expect(imports.map(([, specifier]) => specifier)).toContain(pathToFileURL(join(dist, entry)).href)
  return [...new Set(own.filter((specifier) => !specifier.startsWith('.')))].sort()
}

describe('the built packages', () => {
  it("write and read a memory on the user's own Node", async () => {
    const { stdout } = await run(usersNode(), [join(ROOT, 'scripts/smoke.mjs')])
    expect(stdout).toMatch(/^smoke: a memory was written and read back on Node \d+/)
  })

  it('load @hermes/core without anything', async () => {
    expect(await outsideImports('packages/core', 'index.js')).toEqual([])
  })

  it('load what adapters share without anything', async () => {
    expect(await outsideImports('packages/core', 'entries/adapter.js')).toEqual([])
  })

  it('load @hermes/ai-sdk without anything but what adapters share, the AI SDK included', async () => {
    expect(await outsideImports('packages/ai-sdk', 'index.js')).toEqual(['@hermes/core/adapter'])
  })

  it('load @hermes/langchain without anything but LangChain itself, its agent in the subpath alone', async () => {
    const foreign = async (entry: string) =>
      (await outsideImports('packages/langchain', entry)).filter(
        (specifier) => !/^@hermes\/core\/adapter$|^@langchain\/core\//.test(specifier),
      )
    expect(await foreign('index.js')).toEqual([])
    if (IS_LONG_RUN) expect(await foreign('agent.js')).toEqual(['langchain', 'zod'])
  })

  it('load @hermes/otel without anything', async () => {
    expect(await outsideImports('packages/otel', 'index.js')).toEqual([])
  })

  it('load @hermes/postgres without anything but core, no database client included', async () => {
    expect(await outsideImports('packages/postgres', 'index.js')).toEqual(['@hermes/core', '@hermes/core/queue', '@hermes/core/storage'])
  })

  it('load @hermes/sqlite without node:sqlite, so that an old Node gets an error that says what it needs', async () => {
    const imports = ['@hermes/core', '@hermes/core/storage', 'node:fs', 'node:path', 'node:timers/promises']
    expect(await outsideImports('packages/sqlite', 'index.js')).toEqual(imports)
  })

  it('load @hermes/recall without SQLite, which it looks for when it is opened', async () => {
    const imports = await outsideImports('packages/recall', 'index.js')
    expect(imports.filter((name) => !name.startsWith('node:'))).toEqual(['@hermes/core', '@hermes/core/provider'])
    expect(imports).not.toContain('node:sqlite')
  })

  it.each(['core', 'ai-sdk', 'otel', 'postgres', 'recall', 'sqlite'])(
    'declare no type of zod in %s, so that an app may have any version',
    (name) => {
      const dist = join(ROOT, 'packages', name, 'dist')
      const declarations = globSync('{esm,cjs}/**/*.d.ts', { cwd: dist })
      expect(declarations).toEqual(expect.arrayContaining(['esm/index.d.ts', 'cjs/index.d.ts']))
      expect(declarations.filter((file) => /zod/i.test(readFileSync(join(dist, file), 'utf8')))).toEqual([])
    },
  )

  it.each(['esm', 'cjs'])('have the program that the storage conformance suite starts beside it (%s)', async (build) => {
    const folder = join(ROOT, 'packages/core/dist', build, 'testing')
    const [, program = ''] = /new URL\(.*"(\S+writer-main\.js)"/.exec(await readFile(join(folder, 'index.js'), 'utf8')) ?? []
    await expect(access(join(folder, program), constants.R_OK)).resolves.toBeUndefined()
    expect(program).not.toBe('')
  })

  it('see node: where it belongs, in the file system back end', async () => {
    expect(await outsideImports('packages/core', 'storage/backends/file-system/index.js')).toContain('node:fs/promises')
  })
})
