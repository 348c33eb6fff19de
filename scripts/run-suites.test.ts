import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

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
