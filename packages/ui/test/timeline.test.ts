/** The timeline: what it reads, and in a real browser the way from a line to its reason and back. */
import { createHermes, inMemoryBackend } from '@hermes/core'
import { describe, expect, it } from 'vitest'

import type { TimelineView } from '../src/api/timeline.ts'
import type { SkillDetail } from '../src/api/views.ts'
import { browserForTests } from './open-page.ts'
import { createHome, entriesOf, holdAdditions, openInspector, skillText, type TestHome, value } from './support.ts'

const DAY_MS = 86_400_000

/** Lives in Lisbon, then in Porto; tea on the first day; a proposal waits. */
const fill = async (home: TestHome): Promise<void> => {
  const store = home.hermes.memoryStore()
  const add = async (content: string) => value(await store.apply('memory', { action: 'add', content }, { origin: 'user' }))
  await add('Lives in Lisbon')
  await add('Drinks tea')
  home.time.now += DAY_MS
  value(await store.apply('memory', { action: 'replace', oldText: 'Lives in Lisbon', content: 'Lives in Porto' }, { origin: 'user' }))
  await holdAdditions(home, ['Held back'])
}

const linesOf = ({ days }: TimelineView) => days.flatMap(({ day, items }) => items.map(({ event, text }) => `${day} ${event} ${text}`))

describe('the timeline', () => {
  it('begins with the newest day and its last line, and can be narrowed down', async () => {
    const home = createHome()
    await fill(home)
    const { json } = await openInspector(home.hermes)
    const read = (query = '') => json<TimelineView>(`/api/timeline?now=${home.time.now}${query}`)
    const porto = '2026-05-21 changed Lives in Porto'
    const held = '2026-05-21 waits Held back'
    const lisbon = '2026-05-20 learned Lives in Lisbon'
    expect(linesOf(await read())).toEqual([held, porto, '2026-05-20 learned Drinks tea', lisbon])
    expect(linesOf(await read('&days=1'))).toEqual([held, porto])
    expect(linesOf(await read('&event=learned&text=LISBON'))).toEqual([lisbon])
    expect(linesOf(await read('&text=lisbon'))).toEqual([porto, lisbon])
  })

  it('has what Python Hermes recorded of a skill, as the history of that skill has it', async () => {
    const now = Date.UTC(2026, 4, 20, 9)
    const storage = inMemoryBackend()
    const line = { id: '0a1b2c3d4e5f', ts: '2026-05-20T08:00:00+00:00', actor: 'curator', action: 'patch', skill: 'deploy', before: [] }
    const after = [{ path: '/home/ann/.hermes/skills/deploy/SKILL.md', sha256: 'a'.repeat(64) }]
    const put = {
      'skills/deploy/SKILL.md': new TextEncoder().encode(skillText('deploy', 'Run make.')),
      'skills/.curator_ledger.jsonl': new TextEncoder().encode(`${JSON.stringify({ ...line, after })}\n`),
    }
    value(await storage.update(Object.keys(put), () => ({ put, value: undefined })))
    const { json } = await openInspector(createHermes({ storage, clock: () => now }))
    expect((await json<TimelineView>(`/api/timeline?now=${now}`)).days).toMatchObject([
      { items: [{ id: line.id, actor: 'curator', event: 'changed', text: 'deploy', python: true }] },
    ])
    expect(await json<SkillDetail>('/api/skill?name=deploy')).toMatchObject({ records: [{ id: line.id, python: { action: 'patch' } }] })
  })

  it('has at most 300 lines, and says how many there are', async () => {
    const home = createHome()
    for (let count = 1; count <= 305; count++) {
      home.time.now += 1_000
      value(await home.hermes.memory.add('memory', `Fact ${count}`))
      value(await home.hermes.memory.remove('memory', `Fact ${count}`))
    }
    const { json } = await openInspector(home.hermes)
    const { days, total } = await json<TimelineView>(`/api/timeline?now=${home.time.now}&event=learned`)
    expect([total, days.flatMap(({ items }) => items).length, days[0]?.items[0]?.text]).toEqual([305, 300, 'Fact 305'])
  })
})

const { browser, serve, open: openPage } = await browserForTests()

const open = async ({ hermes, time }: TestHome, { write = true } = {}) => {
  await serve(hermes, { write })
  const opened = await openPage('')
  await opened.page.clock.setFixedTime(time.now)
  await opened.page.keyboard.press('5')
  return opened
}

describe.runIf(browser)('the timeline in the browser', () => {
  it('leads to the reason of a line, takes it back and does it again, and finds a line by its words', async () => {
    const home = createHome()
    await fill(home)
    const { page, problems } = await open(home)
    const thursday = page.getByRole('region', { name: 'Thursday, 21 May 2026' })
    const change = thursday.getByRole('listitem').filter({ hasText: 'changed' })
    await change.getByRole('deletion').getByText('Lisbon').waitFor()
    await change.getByRole('link', { name: 'Why' }).click()
    await page.getByRole('list', { name: 'How it came about' }).getByRole('listitem').nth(1).waitFor()
    await page.goBack()
    home.time.now += 1_000
    await change.getByRole('button', { name: 'Undo' }).click()
    await change.getByText('taken back').waitFor()
    expect((await entriesOf(home)).toSorted()).toEqual(['Drinks tea', 'Lives in Lisbon'])
    home.time.now += 1_000
    await change.getByRole('button', { name: 'Redo' }).click()
    await change.getByRole('button', { name: 'Undo' }).waitFor()
    expect((await entriesOf(home)).toSorted()).toEqual(['Drinks tea', 'Lives in Porto'])
    await page.keyboard.press('/')
    await page.keyboard.type('tea')
    await expect.poll(() => page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['Wednesday, 20 May 2026'])
    await page.getByRole('combobox', { name: 'Show' }).selectOption('forgotten')
    await page.getByText('Nothing in this time.').waitFor()
    expect(problems).toEqual([])
  })

  it('leads to the inbox for what waits, and takes nothing back if it may only be read', async () => {
    const home = createHome()
    await fill(home)
    const { page } = await open(home, { write: false })
    await page.getByRole('link', { name: 'Decide' }).waitFor()
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Decide' }).click()
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  })
})
