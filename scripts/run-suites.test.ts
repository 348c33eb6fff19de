import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { IS_LONG_RUN } from './support/rounds.ts'

const SCRIPT = fileURLToPath(new URL('run-suites.mjs', import.meta.url))

const runSuites = (
  ...commands: readonly string[]
): Promise<{ readonly exitCode: number; readonly lastLine: string; readonly output: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, ...commands], (error, output) => {
      const exitCode = typeof error?.code === 'number' ? error.code : 0
      resolve({ exitCode, lastLine: output.trimEnd().split('\n').at(-1) ?? '', output })
    })
  })

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('several test runs as one', () => {
  it('sum what they say', async () => {
    expect(await runSuites('echo 3 passed, 0 failed', 'printf "noise\\n4 passed, 0 failed"')).toMatchObject({
      exitCode: 0,
      lastLine: '7 passed, 0 failed',
    })
  })

  it('all run, and fail if one of them fails', async () => {
    const result = await runSuites('echo 3 passed, 2 failed; exit 1', 'echo the second ran; echo 4 passed, 0 failed')
    expect(result).toMatchObject({ exitCode: 1, lastLine: '7 passed, 2 failed' })
    expect(result.output).toContain('the second ran')
  })

  it('take failed tests seriously whatever the exit code', async () => {
    expect(await runSuites('echo 3 passed, 1 failed')).toMatchObject({ exitCode: 1, lastLine: '3 passed, 1 failed' })
  })

  it('count a run that breaks off after its summary as a failure', async () => {
    expect(await runSuites('echo 3 passed, 0 failed; exit 3')).toMatchObject({ exitCode: 1, lastLine: '3 passed, 1 failed' })
  })

  it('count a run without a summary as a failure', async () => {
    expect(await runSuites('echo 3 passed, 0 failed', 'true')).toMatchObject({ exitCode: 1, lastLine: '3 passed, 1 failed' })
  })

  it('fail if nothing was to run', async () => {
    expect(await runSuites()).toMatchObject({ exitCode: 1, lastLine: '0 passed, 1 failed' })
  })
})

if (IS_LONG_RUN) {
  describe('several test runs as one', () => {
    it('run at the same time with a plus between their lists, and print one output after the other', async () => {
      const meet = (own: string, other: string) =>
        `touch ${own}; for i in $(seq 500); do [ -e ${other} ] && echo 1 passed, 0 failed && exit; sleep 0.02; done`
      const folder = await mkdtemp(join(tmpdir(), 'hermes-suites-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      const [one, other] = [join(folder, 'one'), join(folder, 'other')]
      const result = await runSuites('echo 3 passed, 0 failed', `sleep 0.2; ${meet(one, other)}`, '+', `echo begins; ${meet(other, one)}`)
      expect(result).toMatchObject({ exitCode: 0, lastLine: '5 passed, 0 failed' })
      expect(result.output.match(/^(== \w+|begins|\d passed)/gm)).toEqual([
        '== echo',
        '3 passed',
        '== sleep',
        '1 passed',
        '== echo',
        'begins',
        '1 passed',
        '5 passed',
      ])
      expect(await runSuites('exit 1', '+', 'echo 4 passed, 0 failed')).toMatchObject({ exitCode: 1, lastLine: '4 passed, 1 failed' })
    })

    it('stop at a check that fails, with its output before the last line', async () => {
      const endless = 'echo endless begins; sleep 1000 & wait; echo endless ends'
      const result = await runSuites(
        endless,
        '+',
        '--check',
        'echo all is well',
        '--check',
        'echo bad >&2; echo worse; exit 1',
        'echo later',
      )
      expect(result).toMatchObject({ exitCode: 1, lastLine: '0 passed, 1 failed' })
      expect(result.output).toContain('worse\n\n0 passed')
      expect(result.output).not.toMatch(/^(?:endless ends|later)/m)
    })

    it('do not count checks', async () => {
      const counted = await runSuites('--check', 'echo 5 passed, 0 failed', 'echo 3 passed, 0 failed', '+', '--check', 'true')
      expect(counted).toMatchObject({ exitCode: 0, lastLine: '3 passed, 0 failed' })
      const uncounted = await runSuites('--check', 'echo checked')
      expect(uncounted).toMatchObject({ exitCode: 0, lastLine: 'checked' })
    })

    it('say so and leave no process behind if they are stopped', async () => {
      const child = spawn(process.execPath, [SCRIPT, 'sleep 1000 & echo $!; wait'], { stdio: ['ignore', 'pipe', 'inherit'] })
      let output = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
      await expect.poll(() => output).toMatch(/^\d+$/m)
      const ended = once(child, 'close')
      child.kill('SIGTERM')
      await ended
      const sleeping = Number(/^\d+$/m.exec(output)?.[0])
      await expect.poll(() => isAlive(sleeping)).toBe(false)
      expect(output.trimEnd().split('\n').at(-1)).toBe('Stopped by SIGTERM before the end.')
    })
  })
}
