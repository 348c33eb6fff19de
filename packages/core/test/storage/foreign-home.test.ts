/** A home that belongs to another user: a process that may write there, but may not change its permissions. */
import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { startChild } from './support/child.ts'
import { temporaryFolder } from './support/temporary-home.ts'

const script = fileURLToPath(new URL('./support/warn-as-user.ts', import.meta.url))

it.runIf(process.getuid?.() === 0)('warns once if its permissions cannot be changed', async () => {
  const folder = temporaryFolder()
  const home = join(folder, 'home')
  mkdirSync(join(home, 'memories'), { recursive: true })
  chmodSync(folder, 0o755)
  chmodSync(home, 0o777)
  const child = startChild(process.execPath, [script, JSON.stringify({ home, user: 65_534 })])
  expect(JSON.parse(await child.line())).toMatchObject({ codes: ['ok', 'ok'], warnings: [expect.stringContaining('chmod 700')] })
  expect(statSync(home).mode & 0o7777).toBe(0o777)
})
