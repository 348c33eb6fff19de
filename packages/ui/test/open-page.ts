/** Pages of the inspector in a real browser, and what they report. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach } from 'vitest'
import { startBrowser } from '../../../scripts/support/browser.ts'
import { type ServedInspector, serveInspector } from './serve-inspector.ts'

export interface OpenPage {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors and warnings of the console, policy violations included. */
  readonly problems: string[]
}

export interface PageLook {
  readonly width?: number
  readonly scheme?: 'light' | 'dark'
}

export const watch = (page: Page): string[] => {
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  return problems
}

/** Signs a browser of its own in and opens a screen. */
const openPage = async (
  browser: Browser,
  served: ServedInspector,
  hash = '',
  { width = 1000, scheme = 'light' }: PageLook = {},
): Promise<OpenPage> => {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme: scheme, locale: 'en-US' })
  context.setDefaultTimeout(40_000)
  const page = await context.newPage()
  const problems = watch(page)
  await page.goto(await served.link())
  await page.goto(`${served.origin}/${hash}`)
  await page.locator('main h1').waitFor()
  return { page, context, problems }
}

/** A browser for the tests of a file, undefined on a machine without one. The pages and inspectors of a test are closed after it. */
export const browserForTests = async () => {
  const browser = await startBrowser()
  const contexts: BrowserContext[] = []
  const inspectors: ServedInspector[] = []
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
    for (const served of inspectors.splice(0)) await served.close()
  })
  afterAll(() => browser?.close())
  const serve: typeof serveInspector = async (...given) => {
    const served = await serveInspector(...given)
    inspectors.push(served)
    return served
  }
  /** A page of the inspector that was served last. */
  const open = async (hash = '#/inbox', look: PageLook = {}): Promise<OpenPage> => {
    const served = inspectors.at(-1)
    if (!browser || !served) throw new Error('There is no browser or no inspector.')
    const opened = await openPage(browser, served, hash, look)
    contexts.push(opened.context)
    return opened
  }
  return { browser, serve, open }
}
