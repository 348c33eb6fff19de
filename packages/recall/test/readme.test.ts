/** The example of the README does what it says, against the built package. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from './support/temporary-folder.ts'

const PACKAGE = join(import.meta.dirname, '..')
const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8')

it('runs the example in a home of its own', () => {
  const home = temporaryFolder()
  const [, example = ''] = /^```ts\n([\s\S]*?)^```/m.exec(readme) ?? []
  const args = ['--no-warnings', '--experimental-strip-types', '--input-type=module-typescript', '--eval', example]
  const printed = execFileSync(process.execPath, args, { cwd: PACKAGE, encoding: 'utf8', env: { ...process.env, HOME: home } })
  expect(printed).toBe('chat-1 We picked up a puppy on Sunday, called Biscuit.\n')
  expect(existsSync(join(home, '.hermes/recall/recall.db'))).toBe(true)
})
