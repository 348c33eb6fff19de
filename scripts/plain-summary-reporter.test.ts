import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { overBudget } from './plain-summary-reporter.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const scratches: string[] = []

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')

/** A folder with the given test files, which the reporter reports on. `budget`: the reporter's argument, as source text. */
const newProject = async (files: Readonly<Record<string, string>>, budget = ''): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-reporter-'))
  scratches.push(folder)
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const reporter = JSON.stringify(join(ROOT, 'scripts/plain-summary-reporter.ts'))
  const setup = JSON.stringify(join(ROOT, 'scripts/support/record-processor-time.ts'))
  const config = `import { plainSummaryReporter } from ${reporter}
export default { test: { setupFiles: [${setup}], reporters: ['default', plainSummaryReporter(${budget})] } }
`
  await writeFile(join(folder, 'vitest.config.ts'), config)
  for (const [name, body] of Object.entries(files)) {
    await writeFile(join(folder, name), `import { beforeAll, describe, expect, it } from 'vitest'\n${body}\n`)
  }
  return folder
}

/**
 * Runs Vitest with the reporter over the given test files; returns its exit code, the last line of its output, and the line about skipped
 * tests before it.
 */
const runVitest = async (
  files: Readonly<Record<string, string>>,
): Promise<{ readonly exitCode: number; readonly lastLine: string; readonly skipped?: string }> => {
  const folder = await newProject(files)
  return new Promise((resolve) => {
    // Merges standard error into standard output, as on a terminal: nothing may follow the line there either.
    const command = `"${process.execPath}" "${VITEST}" run 2>&1`
    execFile('sh', ['-c', command], { cwd: folder }, (error, stdout) => {
      const [before = '', lastLine = ''] = stdout.trimEnd().split('\n').slice(-2)
      const skipped = /^\d+ skipped$/.test(before) ? { skipped: before } : {}
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, lastLine, ...skipped })
    })
  })
}

afterEach(async () => {
  await Promise.all(scratches.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

describe('the last line of a test run', () => {
  it('counts what passed', async () => {
    expect(await runVitest({ 'a.test.ts': `it('a', () => {}); describe('b', () => { it.each([1, 2])('%s', () => {}) })` })).toEqual({
      exitCode: 0,
      lastLine: '3 passed, 0 failed',
    })
  })

  it('counts what failed and what was skipped', async () => {
    expect(await runVitest({ 'a.test.ts': `it('a', () => {}); it('b', () => expect(1).toBe(2)); it.skip('c', () => {})` })).toEqual({
      exitCode: 1,
      lastLine: '1 passed, 1 failed',
      skipped: '1 skipped',
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

  it('fails when nothing ran', async () => {
    expect(await runVitest({})).toEqual({ exitCode: 1, lastLine: '0 passed, 1 failed' })
  })

  it('reports a run that only skipped as skipped', async () => {
    expect(await runVitest({ 'a.test.ts': `it.skip('a', () => {})` })).toEqual({
      exitCode: 0,
      lastLine: '0 passed, 0 failed',
      skipped: '1 skipped',
    })
  })
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
  it('is kept by a run whose files and sum stay below it', () => {
    expect(overBudget([{ file: 'a.test.ts', seconds: 10 }], 400, { fileSeconds: 10, runSeconds: 400 })).toEqual([])
  })

  it('is broken by each file above it, and by the sum', () => {
    const times = [
      { file: 'a.test.ts', seconds: 10.26 },
      { file: 'b.test.ts', seconds: 1 },
    ]
    expect(overBudget(times, 401, { fileSeconds: 10, runSeconds: 400 })).toEqual([
      expect.stringMatching(/^OVER BUDGET: a\.test\.ts took 10\.3 s of processor time; at most 10 s\./),
      expect.stringMatching(/^OVER BUDGET: the run took 401 s of processor time; at most 400 s\./),
    ])
  })

  it('fails a run in which all tests pass', async () => {
    const busy = `it('a', () => { for (const end = Date.now() + 300; Date.now() < end; ); })`
    const folder = await newProject({ 'a.test.ts': busy, 'b.test.ts': `it('b', () => {})` }, '{ fileSeconds: 0.2, runSeconds: 1_000 }')
    const run = await new Promise<{ readonly code: unknown; readonly lines: readonly string[] }>((resolve) => {
      execFile(process.execPath, [VITEST, 'run'], { cwd: folder }, (error, stdout) =>
        resolve({ code: error?.code, lines: stdout.trimEnd().split('\n').slice(-2) }),
      )
    })
    expect(run).toEqual({ code: 1, lines: [expect.stringMatching(/^OVER BUDGET: a\.test\.ts took /), '2 passed, 1 failed'] })
  })
})
