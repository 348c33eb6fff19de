import { describe, expect, it } from 'vitest'
import type { EntryOrigin, MemoryOp } from '../memory/memory-op.ts'
import type { Evidence } from '../proposal/review-proposal.ts'
import { stampTranscript } from '../proposal/stamp-transcript.ts'
import type { Transcript } from '../proposal/transcript.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { Origin } from '../shared/origin.ts'
import { evidenceGate } from './gates.ts'
import { judgeMemory, verifiedQuotes } from './judge-memory.ts'
import { judgeSkill } from './judge-skill.ts'
import { ownSentences, readOwnSentences } from './own-sentences.ts'
import type { GateContext } from './review-gate.ts'

const user = (text: string): TurnMessage => ({ role: 'user', text })
const agent = (text: string): TurnMessage => ({ role: 'assistant', text })
const page: TurnMessage = { role: 'tool', text: 'An unrelated page.', toolNames: ['fetch'] }
const add = (content: string): MemoryOp => ({ action: 'add', content })
const replace = (oldText: string, content: string): MemoryOp => ({ action: 'replace', oldText, content })

type Given = {
  readonly say: readonly TurnMessage[]
  readonly op: MemoryOp
  readonly evidence?: readonly Evidence[]
  /** Entries of memory with their origins. */
  readonly entries?: Readonly<Record<string, Origin>>
} & Partial<Omit<GateContext, 'entries' | 'origins'>> & { readonly origins?: undefined }

const judge = ({ say, op, evidence, entries = {}, ...more }: Given) => {
  const { origins: _, ...rest } = more
  return judgeMemory(
    { target: 'memory', op, rationale: '', score: 1, ...(evidence ? { evidence } : {}) },
    {
      transcript: stampTranscript(say, new Set()),
      entries: { memory: Object.keys(entries), user: [] },
      ...('origins' in more ? {} : { origins: { memory: new Map(Object.entries(entries)), user: new Map() } }),
      unattended: true,
      ...rest,
    },
  )
}

describe("the agent's own call counts as the user's words only if the user said them", () => {
  const called = (given: Given) => judge({ unattended: false, ...given })

  it.each([
    ['its words in another order', [user('Money, said Ben, is what Anna owes.')], 'Anna owes Ben money.'],
    ['its number', [user('The gate closes at 17:45 today.')], 'The gate closes at 17:45.'],
    ['its address', [user('Docs are now at https://a.example/docs.')], 'Docs are at https://a.example/docs.'],
  ] as const)('like %s', (_, say, content) => {
    expect(called({ say, op: add(content) })).toEqual({ row: 'user-said', origin: 'user', messageIds: ['m1'] })
  })

  it.each([
    ['words of two messages', [user('We live in Porto.'), user('Lisbon is nice.')], 'Lives in Lisbon.'],
    ['words of the agent', [user('Hello.'), agent('You live in Lisbon.')], 'Lives in Lisbon.'],
    ['another number', [user('The gate closes at 17:30 and the shop at 18:30.')], 'The gate closes at 17:45.'],
    ['another address', [user('Docs are at https://a.example/docs.')], 'Docs are at https://b.example/docs.'],
    ['only some of the words', [user('We live in Lisbon.')], 'Lives in Lisbon with Anna.'],
    ['no words', [user('Hello.')], '!!!'],
  ] as const)('unlike %s', (_, say, content) => {
    expect(called({ say, op: add(content) })).toEqual({ row: 'agent-note', origin: 'assistant', messageIds: [] })
  })

  it('never with text from outside in sight, however exactly the user said it', () => {
    const say = [user('Anna owes Ben money.'), page]
    expect(called({ say, op: add('Anna owes Ben money.') })).toMatchObject({ row: 'outside-fact', origin: 'tool' })
    const op = replace('Anna owes', 'Anna owes Ben money.')
    expect(called({ say, op, entries: { 'Anna owes something.': 'tool' } })).toMatchObject({ row: 'outside-fact', origin: 'tool' })
    expect(called({ say, op, entries: { 'Anna owes something.': 'user' } })).toMatchObject({ row: 'outside-change', origin: 'tool' })
    const unknown = { origins: undefined, entries: { 'Anna owes something.': 'tool' } } as const
    expect(called({ say, op, ...unknown })).toMatchObject({ row: 'outside-change', origin: 'tool' })
  })

  it('and changes nothing of others by a text that names no entry or several', () => {
    const say = [user('Forget that Anna owes Ben.'), page]
    const entries = { 'Anna owes Ben money.': 'tool', 'Anna owes Ben time.': 'tool' } as const
    for (const oldText of ['Anna owes Ben', 'Nobody owes']) {
      const op: MemoryOp = { action: 'remove', oldText }
      expect(called({ say, op, entries })).toMatchObject({ row: 'outside-change', origin: 'tool' })
      expect(judge({ say, op, entries })).toMatchObject({ row: 'outside-change', origin: 'tool' })
    }
  })
})

/** Cites what the user said last. */
const cited = (given: Given) => {
  const quote = given.say.findLast(({ role }) => role === 'user')?.text ?? ''
  return judge({ evidence: [{ quote }], ...given })
}

describe('a change of an entry by a review', () => {
  const entries = { 'Runs Postgres 16 on port 5432.': 'user' } as const
  const op = replace('Runs Postgres', 'Runs Postgres.')

  it.each([
    ['loses numbers that nobody mentioned', [user('Shorten that.')], 'lossy-change'],
    ['loses one number that nobody mentioned', [user('Forget port 5432.')], 'lossy-change'],
    ['loses numbers that only the agent mentioned', [user('Shorten that.'), agent('Without 16 and 5432 it is short.')], 'lossy-change'],
    ['loses what the user mentioned, in any message', [user('It is no longer 16.'), user('Nor 5432.')], 'own-change'],
  ] as const)('that %s', (_, say, row) => {
    expect(cited({ say, op, entries })).toMatchObject({ row, origin: 'user' })
  })

  it("that loses nothing is the user's", () => {
    const kept = replace('Runs Postgres', 'Port 5432: Postgres 16.')
    expect(cited({ say: [user('Shorten that.')], op: kept, entries })).toMatchObject({ row: 'own-change', origin: 'user' })
  })

  it('is found by a text with blanks around it', () => {
    expect(cited({ say: [user('Shorten that.')], op: replace(' Runs Postgres ', 'Runs Postgres.'), entries })).toMatchObject({
      row: 'lossy-change',
    })
  })

  it.each(['assistant', 'host'] as const)('makes an entry of the %s the user’s only if it cites the user', (origin) => {
    const given = { say: [user('The build takes a minute.'), agent('ok')], op: replace('Build', 'The build takes a minute.') }
    const entries = { 'Build: slow.': origin } as const
    expect(cited({ ...given, entries })).toEqual({ row: 'own-change', origin: 'user', messageIds: ['m1'] })
    expect(judge({ ...given, entries })).toMatchObject({ row: 'agent-note', origin: 'assistant' })
    const removal = { ...given, op: { action: 'remove', oldText: 'Build' }, entries } as const
    const row = origin === 'host' ? 'other-change' : 'own-change'
    expect(judge(removal)).toMatchObject({ row, origin: 'assistant' })
    expect(judge({ ...removal, evidence: [{ quote: 'ok' }] })).toMatchObject({ row, origin: 'assistant' })
    expect(cited(removal)).toMatchObject({ row: 'own-change', origin: 'user' })
  })

  it('of the host waits with text from outside in sight, as one of the user’s', () => {
    const say = [user('The build takes a minute.'), page]
    const changes: readonly MemoryOp[] = [replace('Build', 'The build takes a minute.'), { action: 'remove', oldText: 'Build' }]
    for (const op of changes)
      for (const origin of ['user', 'host'] as const)
        expect(cited({ say, op, entries: { 'Build: slow.': origin } })).toMatchObject({ row: 'outside-change', origin: 'tool' })
  })

  describe('on nobody’s word but the agent’s waits, if the entry is the user’s or written by hand', () => {
    const say = [user('The build takes a minute.'), agent('Mallory builds on Fridays.')]
    it.each([
      ['uncited', replace('Build', 'The build is fast.'), {}],
      ['citing the agent', replace('Build', 'The build is fast.'), { evidence: [{ quote: 'builds on Fridays' }] }],
      ['with a name of somebody else', replace('Build', 'The build is of Mallory.'), { evidence: [{ quote: 'takes a minute' }] }],
      ['uncited, a removal', { action: 'remove', oldText: 'Build' } as const, {}],
    ])('%s', (_, op, more) => {
      const waits = { row: 'other-change', origin: 'assistant' }
      expect(judge({ say, op, entries: { 'Build: slow.': 'user' }, ...more })).toMatchObject(waits)
      expect(judge({ say, op, ...more, origins: undefined, entries: { 'Build: slow.': 'user' } })).toMatchObject(waits)
    })
  })

  describe('that only rearranges what entries say needs no citation', () => {
    const say = [user('Thanks.')]
    const two = { 'Never deploys on Fridays.': 'user', 'Deploys by hand.': 'user' } as const
    const merge = { replaced: Object.keys(two), contents: ['Never deploys on Fridays; deploys by hand.'] }
    const merged = replace('Never', 'Never deploys on Fridays; deploys by hand.')

    it('and has the authority of the least trusted of them', () => {
      expect(judge({ say, op: merged, entries: two, merge })).toMatchObject({ row: 'own-change', origin: 'user' })
      expect(judge({ say, op: { action: 'remove', oldText: 'by hand' }, entries: two, merge })).toMatchObject({
        row: 'own-change',
        origin: 'user',
      })
      const agents = { 'Never deploys on Fridays.': 'assistant', 'Deploys by hand.': 'assistant' } as const
      expect(judge({ say, op: merged, entries: agents, merge })).toMatchObject({ row: 'own-change', origin: 'assistant' })
    })

    it('but waits if it would lower an entry of the user to a note of the agent', () => {
      const mixed = { ...two, 'Deploys by hand.': 'assistant' } as const
      expect(judge({ say, op: merged, entries: mixed, merge })).toMatchObject({ row: 'other-change', origin: 'assistant' })
    })

    it.each([
      ['brings another word', replace('Never', 'Never deploys on Fridays; deploys quickly.')],
      ['drops a denial', replace('Never', 'Deploys on Fridays.')],
      ['removes what no text of it says', { action: 'remove', oldText: 'by hand' } as const],
    ])('but not if it %s', (_, op) => {
      expect(judge({ say, op, entries: two, merge: { ...merge, contents: ['Never on Fridays.'] } })).toMatchObject({ row: 'other-change' })
    })
  })
})

describe('what a review proposes', () => {
  const say = [user('I like tea.'), agent('You like green tea from Uji, 80 degrees.')]
  const op = add('Likes tea.')
  const cite = (...ids: readonly string[]) => ids.map((messageId) => ({ messageId, quote: 'like' }))

  it("is the user's if it cites the user, in whatever words", () => {
    expect(judge({ say, op, evidence: cite('m1', 'm2', 'm1') })).toEqual({ row: 'user-said', origin: 'user', messageIds: ['m1', 'm2'] })
    expect(judge({ say, op: add('Prefers tea to other drinks.'), evidence: cite('m1') })).toMatchObject({ origin: 'user' })
  })

  it("is the agent's if it cites only the agent, or nobody", () => {
    expect(judge({ say, op, evidence: cite('m2') })).toEqual({ row: 'agent-note', origin: 'assistant', messageIds: ['m2'] })
    expect(judge({ say, op })).toEqual({ row: 'agent-note', origin: 'assistant', messageIds: [] })
  })

  it("is the agent's if a name or a number in it is not the user's", () => {
    for (const content of ['Likes tea from Uji.', 'Likes tea at 80 degrees.', 'Likes tea (see tea.example).', 'Likes “green tea”.'])
      expect(judge({ say, op: add(content), evidence: cite('m1') })).toMatchObject({ row: 'agent-note', origin: 'assistant' })
  })

  it('may name what an entry of the user says that it replaces, not what one of the agent or the host says', () => {
    const content = 'Likes tea from Uji.'
    const given = { say, op: replace('Uji', content), evidence: cite('m1') }
    expect(judge({ ...given, entries: { 'Tea: Uji.': 'user' } })).toMatchObject({ origin: 'user' })
    for (const origin of ['assistant', 'host'] as const)
      expect(judge({ ...given, entries: { 'Tea: Uji.': origin } })).toMatchObject({ origin: 'assistant' })
  })

  it('has no evidence if no message contains its quote, or without a conversation', () => {
    const nothing = { row: 'no-evidence', origin: 'assistant', messageIds: [] }
    expect(judge({ say, op, evidence: [{ quote: 'coffee' }] })).toEqual(nothing)
    expect(judge({ say: [], op })).toEqual(nothing)
    expect(judge({ say: [], op, sight: 'outside' })).toEqual({ ...nothing, origin: 'tool' })
  })
})

describe('the reason of a verdict', () => {
  it('is that of the least trusted text in sight if the conversation is too long to be compared', async () => {
    const endless: TurnMessage = { role: 'assistant', text: 'a! '.repeat(150_000) }
    const verdictOf = async (say: readonly TurnMessage[]) => {
      const context: GateContext = { transcript: stampTranscript(say, new Set()), entries: { memory: [], user: [] }, unattended: true }
      const op = { action: 'create', name: 'tea', content: '---\nname: tea\ndescription: Tea.\n---\n\nBoil water.\n' } as const
      const given = [
        { target: 'user', op: add('Likes tea.'), rationale: '', score: 1 } as const,
        { target: 'skill', op, rationale: '', score: 1 } as const,
      ]
      const verdicts = await Promise.all([...given, ...given].map((proposal) => evidenceGate()(proposal, context)))
      return new Set(
        verdicts.map((verdict) => (verdict.ok ? `${verdict.value.verdict} ${verdict.value.origin} ${verdict.value.reason}` : '')),
      )
    }
    const why = 'is too long for the gate to compare them, so it is not known whose words they are. It waits for your approval.'
    expect(await verdictOf([endless])).toEqual(new Set([`hold assistant It or the conversation ${why}`]))
    expect(await verdictOf([endless, page])).toEqual(new Set([`hold tool It or the conversation ${why}`]))
  })
})

const transcript: Transcript = [
  { id: 'm1', role: 'tool', origin: 'tool', text: 'Tea is “good”' },
  { id: 'm2', role: 'user', origin: 'user', text: 'I say: tea is "good"' },
  { id: 'm3', role: 'assistant', origin: 'assistant', text: 'Noted' },
]

const idsOf = (...evidence: { messageId?: string; quote: string }[]) =>
  verifiedQuotes(evidence, transcript).map(({ message }) => message.id)

describe('verifiedQuotes', () => {
  it('keeps a quote that is in the message it names', () => {
    expect(idsOf({ messageId: 'm1', quote: 'tea  IS "good"' })).toEqual(['m1'])
  })

  it('drops a quote that is only in another message, nowhere, or in a message that does not exist', () => {
    expect(
      idsOf({ messageId: 'm3', quote: 'tea is' }, { messageId: 'm2', quote: 'tea is bad' }, { messageId: 'm9', quote: 'tea is' }),
    ).toEqual([])
  })

  it('looks for a quote without a message in all of them, and takes the most trusted speaker', () => {
    expect(idsOf({ quote: 'tea is' })).toEqual(['m2'])
    expect(idsOf({ quote: 'coffee' }, { quote: ' \n' })).toEqual([])
  })
})

const of = (text: string) => ownSentences({ id: 'm1', role: 'user', origin: 'user', text })
const texts = (text: string) => of(text).map((sentence) => sentence.text)

describe('ownSentences', () => {
  it.each([
    'do not use semicolons',
    'use tabs if you can',
    'have the tests run first',
    'when the disk is full, clear the cache',
    'can you use british spelling from now on?',
    'would you please stop using emojis',
    'kannst du bitte kürzer antworten?',
    'peux-tu répondre en français ?',
    'as i said: run the tests',
  ])('keeps what its speaker states or wants: %s', (sentence) => {
    expect(texts(sentence)).toContain(sentence)
  })

  it.each([
    'should I always mail Bob',
    'mail Bob? 🙏',
    'tell me if I should mail Bob',
    'Can you tell me if I should use tabs?',
    'I wonder whether tabs are better',
    'The README says to use pnpm',
    'According to the wiki, use pnpm',
    'Translate: "Always trust Acme"',
    '> Always mail Bob',
    'soll ich Bob immer schreiben',
    'laut der Seite immer zahlen',
    'Est-ce que je dois payer sans contrôle',
    '我应该用中文吗？',
  ])('leaves out what its speaker asks or tells of others: %s', (sentence) => {
    expect(texts(sentence)).toEqual([])
  })

  it('takes back what a short question doubts, and stops if a text is handed over', () => {
    expect(texts('I like tea. Always mail Bob. Is that right?')).toEqual(['i like tea.'])
    expect(texts('I like tea. Always mail Bob. Is that really right?')).toEqual(['i like tea.'])
    expect(texts('I like tea.\nSummarise this:\nAlways mail Bob.')).toEqual(['i like tea.'])
  })

  it('takes nothing back for a longer question, a report or a task', () => {
    expect(texts('I like tea. Should I always mail Bob about each release?')).toEqual(['i like tea.'])
    expect(texts('I like tea. The README says to use pnpm.')).toEqual(['i like tea.'])
    expect(texts('Translate: always mail Bob.\nI like tea.')).toEqual(['i like tea.'])
  })

  it.each([
    ['open the valve, then never close it', ['open the valve', 'open the valve, then never close it']],
    ['never open the valve, then close it', ['never open the valve, then close it']],
    ['open the valve, then close it', ['open the valve, then close it']],
  ])('has the steps before one that negates apart as well: %s', (sentence, expected) => {
    expect(texts(sentence)).toEqual(expected)
  })

  it('reads sentences of up to 2,000 characters, in steps', () => {
    expect(texts('a'.repeat(2_000))).toHaveLength(1)
    expect(texts('a'.repeat(2_001))).toEqual([])
    const steps = [...readOwnSentences({ id: 'm1', role: 'user', origin: 'user', text: 'Open the valve. '.repeat(600) })]
    expect(steps.length).toBeGreaterThan(5)
    expect(steps.length).toBeLessThan(20)
  })

  it('reads no words of what a sentence sets itself against', () => {
    expect(of('Build with pnpm, not npm')[0]?.words).toEqual(['build', 'pnpm'])
    expect(of('Push to main, not without a review')[0]?.words).toContain('without')
  })
})

describe('remembered notes', () => {
  const text = (...lines: readonly string[]) => ['---', 'name: release', 'description: Releases.', '---', '', ...lines, ''].join('\n')

  const TALK: readonly TurnMessage[] = [
    { role: 'user', text: 'How do we release?' },
    { role: 'assistant', text: 'I looked at the pipeline and released it.' },
  ]

  type Given = {
    readonly line: string
    readonly notes?: readonly string[]
    readonly origin?: EntryOrigin
    readonly say?: readonly TurnMessage[]
    /** Lines that the skill has already. */
    readonly current?: readonly string[]
  } & Partial<Pick<GateContext, 'unread' | 'sight'>>

  /** The finding on a skill that says `line`, in a session whose memory has the notes. */
  const judge = ({ line, notes = [], origin = 'tool', say = TALK, current, ...more }: Given) => {
    const before = current === undefined ? undefined : text(...current)
    return judgeSkill(
      { target: 'skill', op: { action: 'edit', name: 'release', content: text(...(current ?? []), line) }, rationale: '', score: 1 },
      {
        transcript: stampTranscript(say, new Set()),
        entries: { memory: notes, user: [] },
        origins: { memory: new Map(notes.map((note) => [note, origin])), user: new Map() },
        skill: { current: before },
        unattended: true,
        ...more,
      },
    )
  }

  describe('a note from outside that memory keeps does not become a skill of the agent in a later session', () => {
    const OUTSIDE = { row: 'outside-rule', origin: 'tool', messageIds: [] }
    const note = 'Purge caches, restart workers.'

    it.each([
      ['repeats the note', { line: 'Purge caches, restart workers.', notes: [note] }],
      ['repeats half of its words', { line: 'Purge caches, inspect dashboards.', notes: [note] }],
      [
        'contains the whole of a short note',
        { line: 'Purge caches before inspecting dashboards, alarms, quotas, invoices.', notes: ['Purge caches.'] },
      ],
      ['repeats one of several notes', { line: 'Purge caches, restart workers.', notes: ['Lunch happens around noon.', note] }],
      [
        'takes nothing but an address from it',
        {
          line: 'Afterwards watch graphs of latency, errors and load at https://a.example/x',
          notes: ['Mirror of the platform team, opened in March: https://a.example/x'],
        },
      ],
      [
        'takes one of two addresses from it',
        { line: 'Compare https://a.example/x and https://b.example/y', notes: ['Mirror: https://b.example/y'] },
      ],
    ] as const)('if it %s', (_, given) => {
      expect(judge(given)).toEqual(OUTSIDE)
    })

    it.each([
      ['shares a single word with the note', { line: 'Purge drafts.', notes: [note] }],
      [
        'shares less than half of the words',
        { line: 'Purge caches, inspect dashboards, alarms.', notes: ['Purge caches, restart workers, drain queues.'] },
      ],
      ['repeats a note of the agent', { line: note, notes: [note], origin: 'assistant' }],
      ['repeats a note of the user', { line: note, notes: [note], origin: 'user' }],
      ['repeats a note that a pass over own words was not shown', { line: note, notes: [note], sight: 'own' }],
      [
        'names an address that the skill already has',
        {
          line: 'Afterwards watch graphs of latency, errors and load at https://a.example/x',
          notes: ['Mirror of the platform team, opened in March: https://a.example/x'],
          current: ['Open https://a.example/x'],
        },
      ],
    ] as const)('unlike one that %s', (_, given) => {
      expect(judge(given)).toEqual({ row: 'agent-note', origin: 'assistant', messageIds: [] })
    })

    it('waits if the notes could not be read, unless the user said it', () => {
      expect(judge({ line: 'Inspect dashboards.', unread: true })).toEqual({ row: 'notes-unread', origin: 'tool', messageIds: [] })
      const say = [{ role: 'user', text: 'Learn the release. Inspect dashboards.' }, ...TALK] as const
      expect(judge({ line: 'Inspect dashboards.', unread: true, say })).toMatchObject({ row: 'user-said', origin: 'user' })
    })

    it("counts as the agent's if the origins of notes are not known", () => {
      const entries = { memory: [note], user: [] }
      const context: GateContext = { transcript: stampTranscript(TALK, new Set()), entries, unattended: true }
      const op = { action: 'create', name: 'release', content: text(note) } as const
      const proposal = { target: 'skill', op, rationale: '', score: 1 } as const
      expect(judgeSkill(proposal, context)).toMatchObject({ row: 'agent-note' })
      const origins = { memory: new Map([[note, 'tool' as const]]), user: new Map() }
      expect(judgeSkill(proposal, { ...context, origins })).toEqual(OUTSIDE)
    })
  })

  describe('an address that nobody in the conversation named', () => {
    it('is no evidence, and one that a message contains is', () => {
      expect(judge({ line: 'Upload to https://c.example/z' })).toMatchObject({ row: 'no-evidence', origin: 'assistant', messageIds: [] })
      expect(judge({ line: 'Upload to c.example\nThen rest.' })).toMatchObject({ row: 'no-evidence' })
      const say = [...TALK, { role: 'assistant', text: 'It went to https://c.example/z today.' }] as const
      expect(judge({ line: 'Upload to https://c.example/z', say })).toMatchObject({ row: 'agent-note' })
      expect(judge({ line: 'Upload to https://c.example/z\nThen rest.', say })).toMatchObject({ row: 'agent-note' })
    })

    it('may be one that the skill already has', () => {
      const current = ['Upload to https://c.example/z']
      expect(judge({ line: 'Afterwards watch https://c.example/z', current })).toMatchObject({ row: 'agent-note' })
    })
  })
})
