/** What else the last line of a test run counts. */
import { expect, it } from 'vitest'
import { runVitest } from './support/reported-run.ts'

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
