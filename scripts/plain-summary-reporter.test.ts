import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const scratches: string[] = []

/**
 * Runs Vitest with the reporter over the given test files; returns its exit code, the last line of its output, and the line about skipped
 * tests before it.
 */
const runVitest = async (
  files: Readonly<Record<string, string>>,
): Promise<{ readonly exitCode: number; readonly lastLine: string; readonly skipped?: string }> => {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-reporter-'))
  scratches.push(folder)
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const reporter = JSON.stringify(join(ROOT, 'scripts/plain-summary-reporter.ts'))
  const config = `import { plainSummaryReporter } from ${reporter}\nexport default { test: { reporters: ['default', plainSummaryReporter()] } }\n`
  await writeFile(join(folder, 'vitest.config.ts'), config)
  for (const [name, body] of Object.entries(files)) {
    await writeFile(join(folder, name), `import { beforeAll, describe, expect, it } from 'vitest'\n${body}\n`)
  }
  return new Promise((resolve) => {
    // Merges standard error into standard output, as on a terminal: nothing may follow the line there either.
    const command = `"${process.execPath}" "${join(ROOT, 'node_modules/vitest/vitest.mjs')}" run 2>&1`
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
