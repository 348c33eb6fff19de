/** Tests of the built packages: they run on the user's Node, entries for edge platforms import no Node module, and no type is zod's. */
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { access, constants, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { outsideImports } from './support/outside-imports.ts'
import { IMPORTED } from './support/published.ts'
import { IS_LONG_RUN } from './support/rounds.ts'
import { usersNode } from './support/users-node.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const run = promisify(execFile)

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

  it.each(IMPORTED.filter((name) => name !== 'langchain' && name !== 'cli'))(
    'declare no type of zod in %s, so that an app may have any version',
    (name) => {
      const dist = join(ROOT, 'packages', name, 'dist')
      const declarations = globSync('{esm,cjs}/**/*.d.ts', { cwd: dist })
      expect(declarations).toEqual(expect.arrayContaining(['esm/index.d.ts', 'cjs/index.d.ts']))
      expect(declarations.filter((file) => /zod/i.test(readFileSync(join(dist, file), 'utf8')))).toEqual([])
    },
  )

  it.each(['esm', 'cjs'])('have the programs that the conformance suites start (%s)', async (build) => {
    const folder = join(ROOT, 'packages/testing/dist', build)
    const named = (await readFile(join(folder, 'main.js'), 'utf8')).match(/\w[\w-]*\/\w+-main(?=["'`])/g) ?? []
    expect(new Set(named).size).toBe(2)
    for (const program of named) await expect(access(join(folder, `${program}.js`), constants.R_OK)).resolves.toBeUndefined()
  })
})

if (IS_LONG_RUN) {
  describe('the built packages', () => {
    it('load @hermes/ai-sdk without anything but what adapters share, the AI SDK included', async () => {
      expect(await outsideImports('packages/ai-sdk', 'index.js')).toEqual(['@hermes/core/adapter'])
    })

    it('load @hermes/langchain without anything but LangChain itself, its agent in the subpath alone', async () => {
      const foreign = async (entry: string) =>
        (await outsideImports('packages/langchain', entry)).filter(
          (specifier) => !/^@hermes\/core\/adapter$|^@langchain\/core\//.test(specifier),
        )
      expect(await foreign('index.js')).toEqual([])
      expect(await foreign('agent.js')).toEqual(['langchain', 'zod'])
    })

    it('load @hermes/otel without anything', async () => {
      expect(await outsideImports('packages/otel', 'index.js')).toEqual([])
    })

    it('load @hermes/postgres without anything but core, no database client included', async () => {
      expect(await outsideImports('packages/postgres', 'index.js')).toEqual(['@hermes/core', '@hermes/core/queue', '@hermes/core/storage'])
    })

    it('load @hermes/sqlite without node:sqlite, so that an old Node gets an error that says what it needs', async () => {
      const imports = ['@hermes/core', '@hermes/core/queue', '@hermes/core/storage', 'node:fs', 'node:path', 'node:timers/promises']
      expect(await outsideImports('packages/sqlite', 'index.js')).toEqual(imports)
    })

    it('load @hermes/recall without SQLite, which it looks for when it is opened', async () => {
      const imports = await outsideImports('packages/recall', 'index.js')
      expect(imports.filter((name) => !name.startsWith('node:'))).toEqual(['@hermes/core', '@hermes/core/provider'])
      expect(imports).not.toContain('node:sqlite')
    })

    it('see node: where it belongs, in the file system back end', async () => {
      expect(await outsideImports('packages/core', 'storage/files/index.js')).toContain('node:module')
    })
  })
}
