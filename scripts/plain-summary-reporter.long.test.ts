/** What the last line of a test run counts, and what else changes it. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { newProject, runVitest, VITEST } from './support/reported-run.ts'

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
