/** `pnpm hermes` builds the command only if its sources have changed, and prints nothing of its own. */
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { IS_LONG_RUN } from './support/rounds.ts'

const ROOT = join(import.meta.dirname, '..')

const launch = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/hermes.mjs'), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

const STAMP = join(ROOT, 'node_modules/.cache/hermes-cli-build')

it('hands the arguments and the exit code over', () => {
  expect(launch('memry')).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining("Did you mean 'memory'?") })
})

if (IS_LONG_RUN) {
  it('prints only what the command prints, builds once, and builds again after a change', { timeout: 120_000 }, () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'packages/cli/package.json'), 'utf8'))
    rmSync(STAMP, { force: true })
    expect(launch('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
    const built = statSync(STAMP).mtimeMs
    expect(launch('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
    expect(statSync(STAMP).mtimeMs).toBe(built)
    writeFileSync(STAMP, 'of other sources')
    expect(launch('--version')).toMatchObject({ status: 0, stderr: '' })
    expect(readFileSync(STAMP, 'utf8')).toMatch(/^[0-9a-f]{64}$/)
  })

  it('starts the chat agent in the same way', () => {
    const chat = launch('--entry=examples/chat-agent/src/main.ts', '--version')
    expect(chat).toEqual({ status: 0, stdout: expect.stringMatching(/^hermes chat agent \d/), stderr: '' })
  })
}
