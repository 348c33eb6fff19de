/** What `startBrowser` does on a machine without a usable browser. */
import { afterEach, expect, it, vi } from 'vitest'
import { startBrowser } from './support/browser.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

it('fails in CI, so that no test is left out there', async () => {
  vi.stubEnv('HERMES_TEST_BROWSER', '/nowhere/chromium')
  vi.stubEnv('CI', 'true')
  await expect(startBrowser()).rejects.toThrow('/nowhere/chromium')
})

it('says elsewhere that tests are left out, and why', async () => {
  vi.stubEnv('HERMES_TEST_BROWSER', '/nowhere/chromium')
  vi.stubEnv('CI', undefined)
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(await startBrowser()).toBeUndefined()
  expect(told).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/tests of pages are skipped.*\/nowhere\/chromium/s))
})
