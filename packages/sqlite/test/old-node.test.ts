/** On a Node without node:sqlite: a clear error. Also run on Node 20. */
import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('names the Node that is needed where node:sqlite is missing, once a storage is opened', () => {
  const without = process.allowedNodeEnvironmentFlags.has('--experimental-sqlite') ? ['--no-experimental-sqlite'] : []
  const source = new URL('../src/index.ts', import.meta.url).href
  const code = `import { sqliteBackend } from ${JSON.stringify(source)}; try { sqliteBackend('a.db') } catch (error) { console.log(error.message) }`
  const printed = execFileSync(process.execPath, [...without, '--input-type=module', '--eval', code], { encoding: 'utf8' })
  expect(printed).toMatch(/needs node:sqlite, which Node 22\.13 and later have; this is v\d+.*fileSystemBackend/)
})
