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
    const named = (await readFile(join(folder, 'main.js'), 'utf8')).match(/\w[\w-]*\/\w+-main(?=["'])/g) ?? []
    expect(new Set(named).size).toBe(2)
    for (const program of named) await expect(access(join(folder, `${program}.js`), constants.R_OK)).resolves.toBeUndefined()
  })
})
