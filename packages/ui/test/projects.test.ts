/** The notes on projects: whose an entry is, what is done with it, and what the next session of a project is shown. */
import { describe, expect, it } from 'vitest'
import type { OverviewView } from '../src/api/overview.ts'
import type { DoneView, ForgetView, InboxView, LedgerView, MemoryView, PromptView, WhyView } from '../src/api/views.ts'
import { createHome, openInspector, value } from './support.ts'

const WEBSHOP = { project: 'web shop' }
const BLOG = { project: 'blog' }

const setUp = async () => {
  const home = createHome()
  const { hermes, time } = home
  value(await hermes.memory.add('memory', 'The laptop has two cores'))
  for (const { project } of [WEBSHOP, BLOG]) {
    time.now += 1_000
    value(await hermes.memory.add('project', 'The key lies under the mat', { project }))
    value(await hermes.memory.add('project', `Of the ${project}`, { project }))
  }
  const browser = await openInspector(hermes, { write: true })
  const memory = (query = '') => browser.json<MemoryView>(`/api/memory${query}`)
  const act = async (body: object) => (await (await browser.post('/api/memory', body)).json()) as DoneView
  return { ...home, ...browser, memory, act }
}

const textsIn = ({ entries }: MemoryView) => entries.map(({ text }) => text)

describe('the memory', () => {
  it('is that of the person, or the notes on one project, and names all projects', async () => {
    const { memory, get } = await setUp()
    const person = await memory()
    expect(person).toMatchObject({ projects: ['blog', 'web shop'], budgets: [{ target: 'memory' }, { target: 'user' }] })
    expect(textsIn(person)).toEqual(['The laptop has two cores'])
    const shop = await memory('?project=web%20shop')
    expect(shop).toMatchObject({ project: 'web shop', budgets: [{ target: 'project', entries: 2 }] })
    expect(textsIn(shop)).toEqual(['The key lies under the mat', 'Of the web shop'])
    expect(textsIn(await memory('?project=unheard-of'))).toEqual([])
    expect((await get(`/api/memory?project=${'x'.repeat(300)}`)).status).toBe(400)
  })

  it('changes an entry where it lies, keeps it in the archive there, and undoes that', async () => {
    const { memory, act, post } = await setUp()
    const entry = { ...BLOG, target: 'project', text: 'The key lies under the mat' }
    await act({ action: 'pin', ...entry })
    const removed = await act({ action: 'remove', ...entry })
    expect(textsIn(await memory('?project=blog'))).toEqual(['Of the blog'])
    expect(textsIn(await memory('?project=web%20shop'))).toHaveLength(2)
    const [archived] = (await memory('?project=blog')).archived
    expect(archived).toMatchObject({ target: 'project', text: entry.text })
    expect((await memory()).archivedTotal).toBe(0)
    expect((await post(`/api/undo/${removed.undo}`)).status).toBe(200)
    expect((await memory('?project=blog')).entries).toContainEqual(expect.objectContaining({ text: entry.text, pinned: true }))
    await act({ action: 'remove', ...entry })
    await act({ action: 'restore', ...BLOG, id: archived?.id })
    expect(textsIn(await memory('?project=blog'))).toContain(entry.text)
    const lost = await post('/api/memory', { action: 'remove', target: 'project', text: 'Of the blog' })
    expect(lost.status).toBe(400)
  })

  it('explains an entry by what the journal has of its project alone', async () => {
    const { json } = await setUp()
    const why = (query: string) => json<WhyView>(`/api/why?text=The%20key%20lies%20under%20the%20mat${query}`)
    expect((await why('&project=blog')).records.map(({ project }) => project)).toEqual(['blog'])
    expect((await why('')).records).toEqual([])
  })

  it('counts the notes on projects, and names those of which something is forgotten', async () => {
    const { json, post, time } = await setUp()
    expect((await json<OverviewView>('/api/overview')).entries).toBe(5)
    expect((await json<LedgerView>(`/api/ledger?days=1&now=${time.now}`)).days).toMatchObject([{ applied: 5, entries: 5 }])
    const plan = (await (await post('/api/forget/plan', { text: 'under the mat' })).json()) as ForgetView
    expect(plan).toMatchObject({ projects: ['blog', 'web shop'], erased: [{ what: 'memory entries', count: 2 }, {}] })
  })
})

it('shows what waits with its project, and writes an edited text there', async () => {
  const { hermes, json, post } = await setUp()
  const op = { action: 'add', content: 'Posts are in Hugo' } as const
  value(await hermes.session('chat', BLOG).submit({ target: 'project', op, rationale: 'Said.', score: 0.9, evidence: [] }))
  const [item] = (await json<InboxView>('/api/inbox')).items
  expect(item).toMatchObject({ target: 'project', project: 'blog', changes: [{ title: 'Add to MEMORY.md of the project blog' }] })
  const done = (await (await post(`/api/inbox/${item?.id}/edit`, { content: 'Posts are in Astro' })).json()) as DoneView
  const notes = async () => value(await hermes.memory.list('project', BLOG)).map(({ content }) => content)
  expect(await notes()).toContain('Posts are in Astro')
  expect((await post(`/api/undo/${done.undo}`)).status).toBe(200)
  expect(await notes()).not.toContain('Posts are in Astro')
})

it('compares the text of a session with the next one of the same project', async () => {
  const { hermes, json } = await setUp()
  const block = await hermes.session('chat', WEBSHOP).systemBlock()
  hermes.session('chat').recordTurn({ messages: [{ role: 'user', text: 'Hello.' }] })
  await hermes.settled()
  const prompt = await json<PromptView>('/api/prompt?session=chat')
  expect(prompt).toMatchObject({ session: { project: 'web shop' }, next: block })
  expect(prompt.budgets.map(({ target, entries }) => [target, entries])).toEqual([
    ['memory', 1],
    ['user', 0],
    ['project', 2],
  ])
})
