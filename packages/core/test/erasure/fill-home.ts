/** Fills a home with a marker in every kind of document that contains text, using the library itself. */

import { createHermes } from '../../src/create-hermes.ts'
import type { Hermes } from '../../src/hermes.ts'
import type { HermesOptions } from '../../src/hermes-options.ts'
import { createPending } from '../../src/journal/pending.ts'
import { ok, type Result } from '../../src/shared/result.ts'
import { updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { assistant, user } from '../session/open-home.ts'
import { createSkillBackup } from '../support/open-curator.ts'

export const DAY = 86_400_000
export const START = Date.UTC(2026, 2, 1, 9)

export const unwrap = <T>(result: Result<T>): T => {
  if (!result.ok) throw result.error
  return result.value
}

export const put = async (storage: StorageBackend, path: string, text: string): Promise<void> => {
  unwrap(await updateDocument(storage, path, () => new TextEncoder().encode(text)))
}

export const skillText = (name: string, body: string): string => `---\nname: ${name}\ndescription: How to ${name}.\n---\n\n${body}\n`

export const openAt = (storage: StorageBackend, startAt = START, options: Partial<HermesOptions> = {}): Hermes => {
  let now = startAt
  let ids = 0
  return createHermes({
    storage,
    clock: () => now++,
    createId: () => `${startAt}-${ids++}`,
    actor: 'person',
    onEvent: () => {},
    ...options,
  })
}

/** `live`: also creates a live skill, which an erasure does not rewrite. */
export const fillHome = async (storage: StorageBackend, marker: string, { live = false } = {}): Promise<void> => {
  const hermes = openAt(storage, START, {
    nudge: { memoryInterval: 2 },
    gate: async ({ op }) => ok({ approved: true, reason: `It says ${'content' in op ? op.content : ''}.` }),
  })
  const memory = hermes.memoryStore()
  unwrap(await memory.apply('memory', { action: 'add', content: 'Builds with pnpm 12.' }, { origin: 'user' }))
  unwrap(await memory.apply('user', { action: 'add', content: `Their card is ${marker} and red.` }, { origin: 'user', sessionId: 'one' }))
  // Tidied, which leaves a copy, then archived.
  unwrap(
    await updateDocument(storage, 'memories/MEMORY.md', (current) =>
      new TextEncoder().encode(`${new TextDecoder().decode(current?.bytes)}\n§\n\n\nOld: ${marker}.\n`),
    ),
  )
  unwrap(await memory.apply('memory', { action: 'replace', oldText: 'Old:', content: 'New: nothing.' }))
  unwrap(await memory.apply('memory', { action: 'add', content: `Kept in notes: ${marker}.` }, { origin: 'tool', sessionId: 'two' }))

  // A review that learns the marker, and unread turns that contain it.
  const model = async () =>
    JSON.stringify({
      proposals: [
        {
          target: 'memory',
          op: { action: 'add', content: `Learned ${marker} in a review.` },
          rationale: `The user said ${marker}.`,
          score: 0.9,
          evidence: [{ quote: marker }],
        },
        { nonsense: marker },
      ],
    })
  const session = hermes.session('chat-1')
  await session.systemBlock()
  for (const text of [`Mine is ${marker}.`, 'And now?', `Once more ${marker}.`]) {
    session.recordTurn({ messages: [user(text), assistant(`You said: ${text}`)], model })
    await hermes.settled()
  }
  await hermes.session('chat-2').systemBlock()
  hermes.session('chat-2').recordTurn({ messages: [user('Nothing of it.'), assistant('Fine.')] })
  await hermes.settled()
  await put(storage, 'sessions/torn.json', `{"half": "${marker}`)
  await hermes.session('torn').systemBlock()

  const pending = createPending({ storage, clock: () => START })
  unwrap(
    await pending.hold({
      proposals: [{ target: 'memory', op: { action: 'add', content: `Waits: ${marker}` }, rationale: 'r', score: 0.8, evidence: [] }],
      reason: 'waits',
    }),
  )
  unwrap(
    await pending.hold({
      proposals: [
        {
          target: 'skill',
          op: { action: 'create', name: 'later', content: skillText('later', marker) },
          rationale: 'r',
          score: 0.8,
          evidence: [],
        },
      ],
      base: null,
      reason: 'waits',
    }),
  )

  // Skills: an archived one, backups with both, a report.
  const skills = hermes.skillStore()
  unwrap(await skills.create({ name: 'pay', content: skillText('pay', `Use ${marker} to pay.`) }))
  unwrap(await skills.create({ name: 'plain', content: skillText('plain', 'Just do it.') }))
  unwrap(await skills.writeFile('pay', 'references/card.md', `Card\n\n${marker}\n`))
  if (live) unwrap(await skills.create({ name: 'used', content: skillText('used', `Say ${marker}.`) }))
  unwrap(await createSkillBackup({ storage, clock: () => START, reason: `before ${marker}` }))
  unwrap(await skills.archive('pay', { reason: `no more ${marker}` }))
  unwrap(await createSkillBackup({ storage, clock: () => START + 1_000, reason: 'manual' }))
  await put(storage, 'logs/curator/20260301-090000/REPORT.md', `# Report\n\nArchived pay: no more ${marker}.\n`)
  await put(storage, 'logs/curator/20260301-090000/run.json', JSON.stringify({ archived: ['pay'], llm_summary: `about ${marker}` }))
  await put(
    storage,
    'curator/consolidation-waiting.json',
    JSON.stringify({
      version: 1,
      waiting: [{ at: 1, name: 'pays', before: null, content: `# ${marker}`, files: [], score: 0.9, sources: [] }],
    }),
  )

  // Another day with a record.
  const nextDay = openAt(storage, START + 2 * DAY).memoryStore()
  unwrap(await nextDay.apply('memory', { action: 'add', content: `Said on day two: ${marker}!` }))
  await hermes.settled()
}
