/** Texts that want to be markup, and pages that want to read or change what is not theirs, in a real browser. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHermesHomes, inMemoryBackend } from '@hermes/core'
import { afterEach, describe, expect, it } from 'vitest'
import { browserForTests, watch } from './open-page.ts'
import { createHome, holdAdditions, holdAll, skillText, value } from './support.ts'

const { browser, serve, open } = await browserForTests()
let other: Server | undefined

afterEach(() => {
  other?.closeAllConnections()
  other?.close()
})

const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=2</script><svg/onload=document.title=3>'
const MORE = [
  '"><iframe srcdoc="<script>top.document.title=4</script>">',
  "javascript:document.title=5//'",
  '{{constructor.constructor("document.title=6")()}}',
  '</pre></blockquote><b id=hacked>bold</b>',
  '\u202Etxt.exe\u0000\u001b[31m',
]

const SCREENS = [
  'overview',
  'inbox',
  'prompt',
  'why',
  `why?text=${encodeURIComponent(MARKUP)}`,
  'skills',
  'skills?name=odd',
  'ledger',
  `prompt?session=${encodeURIComponent(MARKUP)}`,
  '<img src=x onerror=document.title=7>',
]

/** Whatever a text of the home could have become. */
const FOREIGN = 'main img, main script, main iframe, main b, main svg:not(.bar), #hacked, main a[href^="javascript:"]'

describe.runIf(browser)('texts', () => {
  it('of memory, skills, sessions and owners stay text on every screen', async () => {
    const homes = createHermesHomes({ storage: inMemoryBackend(), gate: holdAll })
    const hermes = homes.for({ tenant: MORE[0] ?? '', user: MARKUP })
    const store = hermes.memoryStore()
    for (const content of [MARKUP, ...MORE.slice(0, 4)]) {
      value(await store.apply('user', { action: 'add', content }, { origin: 'user', reason: MARKUP }))
      value(
        await hermes
          .session(MARKUP)
          .submit({ target: 'memory', op: { action: 'add', content }, rationale: MARKUP, score: 0.9, evidence: [{ quote: MARKUP }] }),
      )
    }
    value(await store.apply('user', { action: 'remove', oldText: MORE[3] ?? '' }))
    value(
      await hermes.skillStore().create({
        name: 'odd',
        content: skillText('odd', `${MARKUP}\n${MORE[3]}`).replace('About odd.', `"${MARKUP.replaceAll('"', "'")}"`),
      }),
    )
    hermes.session(MARKUP).recordTurn({ messages: [{ role: 'user', text: MARKUP }] })
    await hermes.settled()
    const { origin } = await serve(homes, { write: true, label: MARKUP })
    const { page, problems } = await open()
    await page.getByRole('insertion').getByText(MARKUP).first().waitFor()
    expect(await page.locator('.owner option').first().textContent()).toContain(MARKUP)
    for (const screen of SCREENS) {
      await page.goto(`${origin}/#/${screen}`)
      await page.locator('main h1').waitFor()
      // As long as an image takes to fail.
      await page.waitForTimeout(250)
      expect(await page.locator(FOREIGN).count()).toBe(0)
      expect(await page.title()).toBe('Hermes')
    }
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])
  })
})

/** A page of another origin that tries every way to ask. */
const ATTACK = (
  target: string,
) => `<!doctype html><title>other</title><iframe src="${target}/"></iframe><img src="${target}/api/inbox"><script src="${target}/api/inbox"></script>
<script>
window.tried = (async () => {
  const found = []
  for (const mode of ['cors', 'no-cors']) for (const method of ['GET', 'POST']) {
    try {
      const response = await fetch('${target}/api/inbox' + (method === 'POST' ? '/x/reject' : ''), { method, mode, credentials: 'include' })
      found.push(response.type === 'opaque' ? 'opaque' : 'read ' + (await response.text()))
    } catch (cause) { found.push('refused') }
  }
  await new Promise((resolve) => {
    const source = new EventSource('${target}/api/live', { withCredentials: true })
    source.onmessage = () => found.push('live')
    source.onerror = resolve
  })
  try { found.push('frame ' + document.querySelector('iframe').contentDocument.body.textContent) } catch { found.push('frame refused') }
  return found
})()
</script>
<form method="post" action="${target}/api/memory" enctype="text/plain"><input name='{"action":"remove","target":"memory","text":"Kept","x":"' value='"}'></form>`

describe.runIf(browser)('a page of another origin', () => {
  it('reads nothing and changes nothing, although the browser is signed in', async () => {
    const home = createHome()
    await holdAdditions(home, ['Held secret'])
    value(await home.hermes.memoryStore().apply('memory', { action: 'add', content: 'Kept' }))
    const { origin } = await serve(home.hermes, { write: true })
    const { context } = await open()
    other = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(ATTACK(origin)))
    await new Promise<void>((resolve) => other?.listen(0, '127.0.0.1', resolve))
    const page = await context.newPage()
    watch(page)
    await page.goto(`http://localhost:${(other.address() as AddressInfo).port}/`)
    const found = await page.evaluate(() => (window as unknown as { tried: Promise<string[]> }).tried)
    expect(found.join('\n')).not.toMatch(/secret|read |live|opaque/)
    expect(found.at(-1)).toMatch(/^frame (?:refused|)$/)
    await Promise.all([
      page.waitForEvent('response', (response) => response.url().endsWith('/api/memory') && response.status() === 403),
      page.evaluate(() => document.querySelector('form')?.submit()),
    ])
    expect(value(await home.hermes.memoryStore().current('memory'))).toEqual(['Kept'])
    expect(value(await home.hermes.pending.list())).toHaveLength(1)
  })
})
