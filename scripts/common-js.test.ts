/** CommonJS programs get a separate build, which works together with the ESM build in one process. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { packageEntries } from './package-entries.ts'
import { IMPORTED } from './support/published.ts'
import { firstOf } from './support/rounds.ts'
import { usersNode } from './support/users-node.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

// Node 20.0 to 20.18 cannot `require` ES modules at all.
const WITHOUT_REQUIRE_OF_ESM = '--no-experimental-require-module'

const nodes = firstOf([...new Set([usersNode(), process.execPath])])

const EXPORTS = /^export (?:(type )?\{([^}]*)\}|(?:async )?(?:const|class|function) (\w+))/gm

/** The values that a source file exports by name. */
const valuesIn = (source: string): readonly string[] =>
  [...source.replace(/\/\/.*|\/\*.*?\*\//g, '').matchAll(EXPORTS)]
    .flatMap(([, isType, list, one]) => (one === undefined ? (isType ? [] : (list ?? '').split(',')) : [one]))
    .flatMap((each) => (/^\s*(?:type\s|$)/.test(each) ? [] : [each.trim().replace(/^.* as /, '')]))
    .filter((name) => name !== 'default')
    .sort()

/**
 * Core first, whose entries share the most code. Without @hermes/testing, which needs Vitest, which CommonJS programs cannot load, and the
 * command, which is an ES module.
 */
const PACKAGES = ['core', ...IMPORTED.filter((name) => !['core', 'testing', 'cli'].includes(name))].map((name) => `packages/${name}`)

/** The names that `require` and `import` return for each entry. */
const namesOf = async (node: string, folder: string): Promise<readonly Readonly<Record<string, readonly string[]>>[]> => {
  const entries = packageEntries(join(ROOT, folder)).map(({ specifier }) => specifier)
  const code = `
    const namesOf = (exports) => Object.keys(exports).filter((name) => !['default', 'module.exports', '__esModule'].includes(name)).sort()
    const compare = async (entry) => ({ entry: [entry], required: namesOf(require(entry)), imported: namesOf(await import(entry)) })
    Promise.all(${JSON.stringify(entries)}.map(compare)).then((compared) => console.log(JSON.stringify(compared)))`
  // Inside the package's own folder, its name resolves as it does for a user.
  const { stdout } = await run(node, [WITHOUT_REQUIRE_OF_ESM, '--input-type=commonjs', '--eval', code], { cwd: join(ROOT, folder) })
  return JSON.parse(stdout)
}

describe.each(nodes)('with %s', (node) => {
  it.each(firstOf(PACKAGES))('%s gives import and require what its source exports', async (folder) => {
    const found = await namesOf(node, folder)
    const named = packageEntries(join(ROOT, folder)).map(({ specifier, source }) => ({
      entry: [specifier],
      names: valuesIn(readFileSync(join(ROOT, folder, source), 'utf8')),
    }))
    expect(named.map(({ names }) => names.length)).not.toContain(0)
    expect(found.map(({ entry, imported }) => ({ entry, names: imported }))).toEqual(named)
    expect(found.map(({ entry, required }) => ({ entry, names: required }))).toEqual(named)
  })

  it('both builds of core share one home, one process and their errors', async () => {
    const { stdout } = await run(node, [WITHOUT_REQUIRE_OF_ESM, join(ROOT, 'scripts/two-copies.mjs')])
    expect(stdout).toBe('Both builds worked on one home.\n')
  })
})
