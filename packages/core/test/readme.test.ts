import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const PACKAGE = join(import.meta.dirname, '..')

it("runs the README's example against the built package", async () => {
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8')
  const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  // Inside the package's own folder, its name resolves as it does for a user.
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', example], { cwd: PACKAGE })
  const [before, ...after] = stdout.split('\n')
  expect(before).toBe('')
  expect(after.join('\n')).toMatch(/USER PROFILE \(who the user is\)[\s\S]*The user lives in Lisbon/)
})
