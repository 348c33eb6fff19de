/** docs/hosts.md names the releases that the tests run, and tests that are there. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { HOSTS, hostTable, readPage, withTable } from './hosts.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

it('has the table that `node scripts/hosts.ts` writes', () => {
  expect(readPage()).toContain('<!-- hosts: ')
  expect(readPage()).toBe(withTable(readPage(), hostTable()))
})

it.each(HOSTS.map(({ name, tests }) => [name, tests]))('has tests of %s', (_, tests) => {
  expect(existsSync(join(ROOT, tests))).toBe(true)
})

it('shows the lines for Mastra that the compiler checks', () => {
  const [, block = ''] = /^```ts\n\/\/ mastra\n([\s\S]*?)^```/m.exec(readPage()) ?? []
  const compiled = readFileSync(join(ROOT, 'packages/ai-sdk/test/types/mastra.ts'), 'utf8')
  const [, agent = ''] = /(\n {2}new Agent\([\s\S]*?\n {2}\}\))/.exec(compiled) ?? []
  expect(agent).not.toBe('')
  expect(block).toContain(agent.replace(/\n {2}/g, '\n').trim())
})
