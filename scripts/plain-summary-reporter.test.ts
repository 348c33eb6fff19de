import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { overBudget, slownessOf } from './plain-summary-reporter.ts'
import { newProject, runVitest, VITEST } from './support/reported-run.ts'
import { IS_LONG_RUN } from './support/rounds.ts'

const budget = { fileSeconds: 10, runSeconds: 400, referenceSeconds: 0.5 }

describe('the budget of processor time', () => {
  it('is kept by a run whose files and sum stay below it', () => {
    expect(overBudget([{ file: 'a.test.ts', seconds: 10 }], 400, 1, budget)).toEqual([])
  })

  it('is broken by each file above it, and by the sum', () => {
    const times = [
      { file: 'a.test.ts', seconds: 10.26 },
      { file: 'b.test.ts', seconds: 1 },
    ]
    expect(overBudget(times, 401, 1, budget)).toEqual([
      expect.stringMatching(/^OVER BUDGET: a\.test\.ts took 10\.3 s of processor time; at most 10\.0 s\./),
      expect.stringMatching(/^OVER BUDGET: the run took 401 s of processor time; at most 400 s\./),
    ])
  })

  it('grows with the time that the machine needs for a fixed piece of work, and never shrinks', () => {
    expect([slownessOf([], budget), slownessOf([0.1], budget), slownessOf([9, 0.6, 0.1], budget)]).toEqual([1, 1, 1.2])
    expect(overBudget([{ file: 'a.test.ts', seconds: 12 }], 480, 1.2, budget)).toEqual([])
    expect(overBudget([{ file: 'a.test.ts', seconds: 12.1 }], 481, 1.2, budget)).toEqual([
      expect.stringContaining('at most 12.0 s (1.2 times'),
      expect.stringContaining('at most 480 s (1.2 times'),
    ])
  })
})

if (IS_LONG_RUN) {
  describe('the last line of a test run', () => {
    it('counts what failed and what was skipped', async () => {
      expect(await runVitest({ 'a.test.ts': `it('a', () => {}); it('b', () => expect(1).toBe(2)); it.skip('c', () => {})` })).toEqual({
        exitCode: 1,
        lastLine: '1 passed, 1 failed',
        skipped: '1 skipped',
      })
    })
  })

  it('counts what passed', async () => {
    expect(await runVitest({ 'a.test.ts': `it('a', () => {}); describe('b', () => { it.each([1, 2])('%s', () => {}) })` })).toEqual({
      exitCode: 0,
      lastLine: '3 passed, 0 failed',
    })
  })

  it('counts a broken hook and a file that does not load as failures', async () => {
    const files = {
      'a.test.ts': `it('a', () => {})`,
      'b.test.ts': `describe('b', () => { beforeAll(() => { throw new Error('hook') }); it('never runs', () => {}) })`,
      'c.test.ts': `throw new Error('load')`,
    }
    expect(await runVitest(files)).toEqual({ exitCode: 1, lastLine: '1 passed, 2 failed', skipped: '1 skipped' })
  })

  it('counts an unhandled rejection as a failure', async () => {
    const body = `it('a', async () => { void Promise.reject(new Error('lost')); await new Promise((resolve) => setTimeout(resolve, 20)) })`
    expect(await runVitest({ 'a.test.ts': body })).toEqual({ exitCode: 1, lastLine: '1 passed, 1 failed' })
  })

  it('reports a run that only skipped as skipped', async () => {
    expect(await runVitest({ 'a.test.ts': `it.skip('a', () => {})` })).toEqual({
      exitCode: 0,
      lastLine: '0 passed, 0 failed',
      skipped: '1 skipped',
    })
  })

  it('fails when nothing ran', async () => {
    expect(await runVitest({})).toEqual({ exitCode: 1, lastLine: '0 passed, 1 failed' })
  })

  describe('a run that a signal stops', () => {
    it('says so, and neither that it passed nor that a test failed', async () => {
      const endless = `it('a', () => {}); it('b', () => { console.log('it runs'); return new Promise((resolve) => setTimeout(resolve, 100_000)) }, 100_000)`
      const folder = await newProject({ 'a.test.ts': endless })
      const child = spawn(process.execPath, [VITEST, 'run'], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
      let output = ''
      for await (const chunk of child.stdout.setEncoding('utf8')) {
        output += chunk
        if (output.includes('it runs') && !child.killed) child.kill('SIGTERM')
      }
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      expect(output.trimEnd().split('\n').at(-1)).toMatch(/^Stopped by SIGTERM before the end; so far \d passed, 0 failed\.$/)
      expect(child.exitCode).toBe(143)
    })
  })

  describe('the budget of processor time', () => {
    it('fails a run in which all tests pass', async () => {
      // By processor time: on a busy machine, a time by the clock holds less of it.
      const busy = `it('a', () => { const start = process.cpuUsage(); for (;;) { const { user, system } = process.cpuUsage(start); if (user + system > 300_000) break } })`
      const folder = await newProject(
        { 'a.test.ts': busy, 'b.test.ts': `it('b', () => {})` },
        '{ fileSeconds: 0.2, runSeconds: 1_000, referenceSeconds: 1 }',
      )
      const run = await new Promise<{ readonly code: unknown; readonly lines: readonly string[] }>((resolve) => {
        execFile(process.execPath, [VITEST, 'run'], { cwd: folder }, (error, stdout) =>
          resolve({ code: error?.code, lines: stdout.trimEnd().split('\n').slice(-2) }),
        )
      })
      expect(run).toEqual({ code: 1, lines: [expect.stringMatching(/^OVER BUDGET: a\.test\.ts took /), '2 passed, 1 failed'] })
    })
  })
}
