/** `pnpm hermes` builds the command only if its sources have changed, and prints nothing of its own. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

const launch = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/hermes.mjs'), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

it('hands the arguments and the exit code over', () => {
  expect(launch('memry')).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining("Did you mean 'memory'?") })
})
