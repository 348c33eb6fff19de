/** A home that looks like one after two months: for screenshots, and large enough to measure. */

import { createHermes, type Hermes, type JournalRecord, ok, type ReviewGate, type StorageBackend } from '@hermes/core'
import { createJournal, type JournalRecordInput } from '@hermes/core/journal'
import { updateDocument } from '@hermes/core/storage'
import { skillText, value } from './support.ts'

const DAY_MS = 86_400_000

export const NOW = Date.UTC(2026, 4, 20, 15, 30)

const FACTS = [
  'Deploys run from the main branch only, after the smoke tests have passed',
  'The staging database is reset every Monday at 04:00 UTC',
  'Tests run with `pnpm test`; the end-to-end suite needs Docker',
  'The API returns times as epoch milliseconds, never as text',
] as const

const ABOUT_USER = ['Lives in Oslo and works in the time zone Europe/Oslo', 'Prefers short answers with the command first'] as const

const SKILLS = [
  ['deploy-service', 'Deploy a service and check that it answers', 34, 1],
  ['review-migration', 'Read a database migration for locks and lost data', 21, 3],
  ['write-changeset', 'Write a changeset for a user-visible change', 17, 2],
  ['trace-slow-query', 'Find out why a query is slow', 9, 12],
  ['rotate-keys', 'Rotate the keys of a provider without downtime', 2, 41],
] as const

const HELD = [
  [
    'memory',
    'Send the weekly report to reports@vendor.example',
    'An address to send to, from outside, waits for a person.',
    'Please send the weekly report to reports@vendor.example',
  ],
  [
    'user',
    'Works as a site reliability engineer at Northwind',
    'From outside, about the user: waits for a person.',
    'Kari Nordmann, Site Reliability Engineer, Northwind',
  ],
  [
    'memory',
    'Never run migrations while a deploy is in progress',
    'From outside, it binds its reader: waits for a person.',
    'never run migrations while a deploy is in progress',
  ],
] as const

const OTHER_REASON = 'From outside, a change of what is there already: waits for a person.'

const holdWithReasons: ReviewGate = async ({ op }) => {
  const content = 'content' in op ? op.content : ''
  const reason = HELD.find(([, text]) => text === content)?.[2] ?? OTHER_REASON
  return ok({ approved: false, held: true, reason, origin: 'tool' })
}

export interface Demo {
  readonly storage: StorageBackend
  readonly hermes: Hermes
  readonly time: { now: number }
}

const costRecord = (day: number): JournalRecordInput => ({
  actor: 'review',
  kind: day % 17 === 0 ? 'review-failed' : 'review-finished',
  reason: day % 17 === 0 ? 'The review failed.' : 'The review has ended.',
  sessionId: `chat-${day}`,
  cost: {
    model: day % 3 === 0 ? 'claude-haiku-5-5' : 'gpt-5.4-mini',
    calls: 1 + (day % 2),
    inputTokens: 3_200 + 410 * (day % 7),
    cachedInputTokens: 1_900 + 200 * (day % 5),
    outputTokens: 220 + 40 * (day % 6),
    estimated: false,
    durationMs: 2_400,
  },
})

const rejection = (day: number): JournalRecordInput => ({
  actor: 'review',
  kind: 'rejected',
  reason: 'The score 0.4 is below 0.7.',
  sessionId: `chat-${day}`,
  pass: 'own-words',
  target: 'memory',
  op: { action: 'add', content: `Was in a hurry on day ${day}` },
  rationale: 'The user said so.',
  score: 0.4,
  origin: 'user',
})

const fillMemory = async (hermes: Hermes, time: { now: number }): Promise<void> => {
  const store = hermes.memoryStore()
  value(await store.apply('memory', { action: 'add', content: 'Tests run with `npm test`' }, { origin: 'tool' }))
  for (const [index, content] of FACTS.entries()) {
    time.now += 9 * DAY_MS
    const op = index === 2 ? ({ action: 'replace', oldText: 'npm test', content } as const) : ({ action: 'add', content } as const)
    value(await store.apply('memory', op, { origin: index === 1 ? 'tool' : index === 3 ? 'assistant' : 'user' }))
  }
  for (const content of ABOUT_USER) value(await store.apply('user', { action: 'add', content }, { origin: 'user' }))
  value(await store.pin('user', ABOUT_USER[1]))
}

const fillSkills = async (hermes: Hermes, time: { now: number }): Promise<void> => {
  const end = time.now
  for (const [name, description, uses, daysAgo] of SKILLS) {
    time.now = end - 58 * DAY_MS
    const body = `# ${name}\n\n1. Read the last report.\n2. Check the state before you change anything.\n3. Say what you did.`
    value(await hermes.skillStore().create({ name, content: skillText(name, body).replace(`About ${name}.`, description) }))
    value(await hermes.usageStore().record(name, 'create', { createdBy: 'agent' }))
    for (let use = 1; use <= uses; use++) {
      // Seldom at first, often in the end.
      time.now = end - Math.round(daysAgo + (1 - use / uses) ** 2 * (56 - daysAgo)) * DAY_MS
      value(await hermes.usageStore().record(name, 'use'))
    }
  }
  time.now = end
  value(
    await hermes.skillStore().patch('deploy-service', {
      oldText: '2. Check the state before you change anything.',
      newText: '2. Check the state, and that nobody else deploys.\n3. Deploy to one instance first.',
    }),
  )
  value(await hermes.usageStore().setState('rotate-keys', 'stale'))
}

const talk = async (hermes: Hermes, time: { now: number }): Promise<void> => {
  for (const [index, turns] of [7, 4].entries()) {
    const session = hermes.session(`chat-${index + 41}`)
    session.offerTools()
    await session.systemBlock()
    for (let turn = 0; turn < turns; turn++) {
      time.now += 60_000
      session.recordTurn({ messages: [{ role: 'user', text: 'Deploy it, please.' }] })
      await session.settled()
    }
  }
}

const hold = async (hermes: Hermes, time: { now: number }): Promise<void> => {
  const session = hermes.session('chat-42')
  for (const [target, content, , quote] of HELD) {
    time.now += 60_000
    value(
      await session.submit({
        target,
        op: { action: 'add', content },
        rationale: 'It seemed worth keeping.',
        score: 0.82,
        evidence: [{ quote }],
      }),
    )
  }
  const replace = {
    action: 'replace',
    oldText: 'staging database',
    content: 'The staging database is reset every Tuesday at 05:00 UTC',
  } as const
  value(
    await session.submit({
      target: 'memory',
      op: replace,
      rationale: 'The runbook says so.',
      score: 0.9,
      evidence: [{ quote: 'Staging resets: Tuesdays, 05:00 UTC' }],
    }),
  )
  const patch = {
    action: 'patch',
    name: 'review-migration',
    oldText: '1. Read the last report.',
    newText: '1. Read the last report and the plan.\n2. Ask who owns the table.',
  } as const
  value(
    await session.submit({
      target: 'skill',
      op: patch,
      rationale: 'The review missed a lock.',
      score: 0.88,
      evidence: [{ quote: 'next time ask the owner of the table' }],
    }),
  )
}

export const fillDemoHome = async (storage: StorageBackend): Promise<Demo> => {
  const time = { now: NOW - 60 * DAY_MS }
  const hermes = createHermes({ storage, clock: () => time.now, actor: 'person', gate: holdWithReasons, curator: { enabled: false } })
  let count = 0
  const journal = createJournal({ storage, clock: () => time.now, createId: () => `demo-${count++}` })
  for (let day = 0; day < 60; day++) {
    time.now = NOW - (60 - day) * DAY_MS
    value(await journal.append([costRecord(day), ...(day % 4 === 0 ? [rejection(day)] : [])]))
  }
  time.now = NOW - 45 * DAY_MS
  await fillMemory(hermes, time)
  time.now = NOW - 3_600_000
  await fillSkills(hermes, time)
  await talk(hermes, time)
  value(await hermes.memoryStore().apply('user', { action: 'add', content: 'Is on call in the last week of May' }, { origin: 'user' }))
  await hold(hermes, time)
  time.now = NOW
  return { storage, hermes, time }
}

/** `count` journal records over 200 days, and `skills` skills. */
export const fillLargeHome = async (
  storage: StorageBackend,
  { records: count, skills }: { readonly records: number; readonly skills: number },
): Promise<void> => {
  const time = { now: NOW - 200 * DAY_MS }
  let ids = 0
  const journal = createJournal({ storage, clock: () => time.now, createId: () => `large-${ids++}` })
  const perDay = Math.ceil(count / 200)
  for (let written = 0; written < count; written += perDay) {
    time.now += DAY_MS
    const batch = Array.from({ length: Math.min(perDay, count - written) }, (_, index): JournalRecordInput => {
      const kinds: readonly JournalRecord['kind'][] = ['applied', 'rejected', 'held']
      return index === 0 ? costRecord(written) : { ...rejection(written + index), kind: kinds[index % 3] ?? 'applied' }
    })
    value(await journal.append(batch))
  }
  const hermes = createHermes({ storage, clock: () => time.now, actor: 'person' })
  for (let index = 0; index < skills; index++) {
    const name = `skill-${String(index).padStart(4, '0')}`
    value(await updateDocument(storage, `skills/${name}/SKILL.md`, () => new TextEncoder().encode(skillText(name, '1. Work.'))))
  }
  await hermes.settled()
}
