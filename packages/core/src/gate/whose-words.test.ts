import { describe, expect, it } from 'vitest'
import type { MemoryOp } from '../memory/memory-op.ts'
import type { Evidence } from '../proposal/review-proposal.ts'
import { stampTranscript } from '../proposal/stamp-transcript.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { Origin } from '../shared/origin.ts'
import { evidenceGate, type TrustLevel } from './evidence-gate.ts'
import { judgeMemory } from './judge-memory.ts'
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
} & Partial<Omit<GateContext, 'entries'>>

const judge = ({ say, op, evidence, entries = {}, ...more }: Given) =>
  judgeMemory(
    { target: 'memory', op, rationale: '', score: 1, ...(evidence ? { evidence } : {}) },
    {
      transcript: stampTranscript(say, new Set()),
      entries: { memory: Object.keys(entries), user: [] },
      origins: { memory: new Map(Object.entries(entries)), user: new Map() },
      unattended: true,
      ...more,
    },
  )

describe("the agent's own call counts as the user's words only if the user said them", () => {
  const called = (given: Given) => judge({ unattended: false, ...given })

  it('in one message, which the finding names', () => {
    const say = [user('I moved.'), user('We live in Lisbon since May.'), agent('Noted.')]
    expect(called({ say, op: add('Lives in Lisbon.') })).toEqual({ row: 'user-said', origin: 'user', messageIds: ['m2'] })
  })

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

  describe('and, with text from outside in sight, one after the other in one sentence', () => {
    it.each([
      ['a sentence', [user('Hello there. Anna owes Ben money. Bye.'), page], 'Anna owes Ben money.', 'm1'],
      ['a part of a sentence', [page, user('By the way, Anna owes Ben money since May.')], 'Anna owes Ben money.', 'm2'],
      ['a denial', [user('Never deploy on Fridays.'), page], 'Never deploy on Fridays.', 'm1'],
      ['a denial within a sentence', [user('Well then: never deploy on Fridays.'), page], 'Never deploy on Fridays.', 'm1'],
    ] as const)('like %s', (_, say, content, id) => {
      expect(called({ say, op: add(content) })).toEqual({ row: 'user-said', origin: 'user', messageIds: [id] })
    })

    it.each([
      ['words in another order', [user('Anna owes Ben money.'), page], 'Ben owes Anna money.'],
      ['words with others between them', [user('Anna owes Carl, not me, some money.'), page], 'Anna owes money.'],
      ['words of two sentences', [user('Anna owes. Ben has money.'), page], 'Anna owes Ben money.'],
      ['what the user denies', [user('Nobody says that Anna owes Ben money.'), page], 'Anna owes Ben money.'],
      ['what the user denies afterwards', [user('Anna owes Ben money, not.'), page], 'Anna owes Ben money.'],
      ['what the page says', [user('Ben, Anna and money: who owes?'), { ...page, text: 'Anna owes Ben money.' }], 'Anna owes Ben money.'],
      ['what the agent said', [user('Ben, Anna and money: who owes?'), agent('Anna owes Ben money.'), page], 'Anna owes Ben money.'],
      ['no words', [user('Hello.'), page], '!!!'],
    ] as const)('unlike %s', (_, say, content) => {
      expect(called({ say, op: add(content) })).toMatchObject({ row: 'outside-fact', origin: 'tool' })
    })

    it('may change nothing by a text that names no entry or several', () => {
      const say = [user('Forget that Anna owes Ben.'), page]
      const entries = { 'Anna owes Ben money.': 'tool', 'Anna owes Ben time.': 'tool' } as const
      for (const oldText of ['Anna owes Ben', 'Nobody owes']) {
        const op: MemoryOp = { action: 'remove', oldText }
        expect(called({ say, op, entries })).toMatchObject({ row: 'outside-change', origin: 'tool' })
        expect(judge({ say, op, entries })).toMatchObject({ row: 'outside-change', origin: 'tool' })
      }
    })

    it('may change an entry from outside, and none of the user or of nobody known', () => {
      const given = { say: [user('Anna owes Ben money.'), page], op: replace('Anna owes', 'Anna owes Ben money.') }
      expect(called({ ...given, entries: { 'Anna owes something.': 'tool' } })).toMatchObject({ row: 'own-change', origin: 'user' })
      expect(called({ ...given, entries: { 'Anna owes something.': 'user' } })).toMatchObject({ row: 'outside-change', origin: 'tool' })
      const unknown = { entries: { memory: ['Anna owes something.'], user: [] } }
      expect(
        judgeMemory(
          { target: 'memory', op: given.op, rationale: '', score: 1 },
          { transcript: stampTranscript(given.say, new Set()), unattended: false, ...unknown },
        ),
      ).toMatchObject({ row: 'outside-change', origin: 'tool' })
    })
  })
})

describe('a change of an entry by a review', () => {
  const entries = { 'Runs Postgres 16 on port 5432.': 'user' } as const
  const op = replace('Runs Postgres', 'Runs Postgres.')

  it.each([
    ['loses numbers that nobody mentioned', [user('Shorten that.')], 'lossy-change'],
    ['loses one number that nobody mentioned', [user('Forget port 5432.')], 'lossy-change'],
    ['loses numbers that only the agent mentioned', [user('Shorten that.'), agent('Without 16 and 5432 it is short.')], 'lossy-change'],
    ['loses what the user mentioned, in any message', [user('It is no longer 16.'), user('Nor 5432.')], 'own-change'],
  ] as const)('that %s', (_, say, row) => {
    expect(judge({ say, op, entries })).toMatchObject({ row, origin: 'user' })
  })

  it('is found by a text with blanks around it', () => {
    expect(judge({ say: [user('Shorten that.')], op: replace(' Runs Postgres ', 'Runs Postgres.'), entries })).toMatchObject({
      row: 'lossy-change',
    })
  })

  it("that loses nothing is the user's", () => {
    const kept = replace('Runs Postgres', 'Port 5432: Postgres 16.')
    expect(judge({ say: [user('Shorten that.')], op: kept, entries })).toMatchObject({ row: 'own-change' })
  })

  it('leaves an entry of the agent with the agent, unless it cites the user', () => {
    const given = { say: [user('The build takes a minute.'), agent('ok')], op: replace('Build', 'The build takes a minute.') }
    const entries = { 'Build: slow.': 'assistant' } as const
    expect(judge({ ...given, entries })).toMatchObject({ row: 'own-change', origin: 'assistant' })
    expect(judge({ ...given, entries: { 'Build: slow.': 'user' } })).toMatchObject({ origin: 'user' })
    const evidence = [{ messageId: 'm1', quote: 'takes a minute' }]
    expect(judge({ ...given, entries, evidence })).toEqual({ row: 'own-change', origin: 'user', messageIds: ['m1'] })
    expect(judge({ say: given.say, op: add('The build takes a minute.') })).toMatchObject({ row: 'user-said', origin: 'user' })
  })
})

describe('what a review cites', () => {
  const say = [user('I like tea.'), agent('You like green tea.')]
  const op = add('Likes tea.')
  const cite = (...ids: readonly string[]) => ids.map((messageId) => ({ messageId, quote: 'like' }))

  it("names each message once, and is the agent's only if nobody else is cited", () => {
    expect(judge({ say, op, evidence: cite('m1', 'm2', 'm1') })).toEqual({ row: 'user-said', origin: 'user', messageIds: ['m1', 'm2'] })
    expect(judge({ say, op, evidence: cite('m2') })).toEqual({ row: 'agent-note', origin: 'assistant', messageIds: ['m2'] })
  })

  it('is no evidence if no message contains it, or without a conversation', () => {
    const nothing = { row: 'no-evidence', origin: 'assistant', messageIds: [] }
    expect(judge({ say, op, evidence: [{ quote: 'coffee' }] })).toEqual(nothing)
    expect(judge({ say: [], op })).toEqual(nothing)
    expect(judge({ say: [], op, sight: 'outside' })).toEqual({ ...nothing, origin: 'tool' })
  })
})

describe('the reason of a verdict', () => {
  const reason = async (trust: TrustLevel, say: readonly TurnMessage[], evidence: readonly Evidence[] = []) => {
    const context: GateContext = { transcript: stampTranscript(say, new Set()), entries: { memory: [], user: [] }, unattended: true }
    const verdict = await evidenceGate({ trust })({ target: 'user', op: add('Likes tea.'), rationale: '', score: 1, evidence }, context)
    return verdict.ok ? verdict.value.reason : ''
  }

  it('names the messages, and says what happens to it', async () => {
    const cited = [{ quote: 'like tea' }]
    expect(await reason('balanced', [user('I like tea.')], cited)).toBe("It comes from the user's own words (see m1).")
    expect(await reason('balanced', [user('I like tea.')], [{ quote: 'coffee' }])).toBe(
      'Nothing in the conversation supports it. It waits for your approval.',
    )
    expect(await reason('strict', [user('I like tea.')], [{ quote: 'coffee' }])).toBe(
      "Nothing in the conversation supports it. With trust 'strict' that is refused.",
    )
  })

  it('is that of the least trusted text in sight if the conversation is too long to be compared', async () => {
    const endless = user('a! '.repeat(150_000))
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
