/** Takes the screenshots of the documentation: `node packages/ui/test/take-screenshots.ts <folder>`. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { inMemoryBackend } from '@hermes/core'
import { startBrowser } from '../../../scripts/support/browser.ts'
import { fillDemoHome, NOW } from './demo-home.ts'
import { serveInspector } from './serve-inspector.ts'

const [folder = 'docs/images/inspector', wanted = ''] = process.argv.slice(2)

const SCREENS = [
  ['overview', '#/overview'],
  ['inbox', '#/inbox'],
  ['prompt', '#/prompt'],
  ['why', `#/why?text=${encodeURIComponent('Tests run with `pnpm test`; the end-to-end suite needs Docker')}`],
  ['timeline', '#/timeline'],
  ['skills', '#/skills'],
  ['skill', '#/skills?name=deploy-service'],
  ['ledger', '#/ledger'],
] as const

const LOOKS = [
  ['light', 1100],
  ['dark', 1100],
  ['light', 400],
  ['dark', 400],
] as const

const browser = await startBrowser()
if (browser === undefined) throw new Error('There is no browser to take screenshots with.')
await mkdir(folder, { recursive: true })
const { hermes } = await fillDemoHome(inMemoryBackend())
const served = await serveInspector(hermes, { write: true, label: '~/.hermes' })
for (const [scheme, width] of LOOKS) {
  const context = await browser.newContext({
    viewport: { width, height: 820 },
    colorScheme: scheme,
    locale: 'en-US',
    hasTouch: width === 400,
    deviceScaleFactor: width === 400 ? 2 : 1,
  })
  const page = await context.newPage()
  page.on('console', (message) => console.log(message.type(), message.text()))
  page.on('pageerror', (error) => console.log('ERROR', error.message))
  await page.clock.setFixedTime(NOW)
  await page.goto(await served.link())
  for (const [name, hash] of SCREENS) {
    const file = `${name}-${scheme}-${width}`
    if (!file.includes(wanted)) continue
    await page.goto(`${served.origin}/${hash}`)
    await page.locator('main h1').waitFor()
    await page.waitForTimeout(500)
    await page.screenshot({ path: join(folder, `${file}.png`) })
  }
  await context.close()
}
await served.close()
await browser.close()
