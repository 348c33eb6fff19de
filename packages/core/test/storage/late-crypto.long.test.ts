/** What a new process loads of Node before it has the text of the prompt. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { temporaryFolder } from './support/temporary-home.ts'

const script = fileURLToPath(new URL('./support/read-memory.ts', import.meta.url))

it('reads memory without node:crypto, which takes long to load, and writes with it', () => {
  const home = temporaryFolder()
  mkdirSync(join(home, 'memories'), { mode: 0o700 })
  writeFileSync(join(home, 'memories/MEMORY.md'), 'The API is deployed with Kamal.')
  const told = JSON.parse(execFileSync(process.execPath, [script, home], { encoding: 'utf8' }))
  expect(told).toMatchObject({ whenRead: false, ok: true, whenWritten: true })
  expect(told.block).toContain('The API is deployed with Kamal.')
})
