/** Pages of the inspector in a real browser, and what they report. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { ServedInspector } from './serve-inspector.ts'

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
export const openPage = async (
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
