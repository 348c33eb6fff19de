/** What a session does with each report of a host: what it counts, records, tells and refuses. */
import { describe, expect, it } from 'vitest'
import { sessionHome } from '../../test/support/session-home.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { fenceContext } from '../provider/context-fence.ts'
import type { ProviderConnection } from '../provider/provider-connection.ts'
import { HomeSession } from './home-session.ts'
import type { CompletedTurn, StepEnd, SwitchReason } from './session.ts'
import type { OwnedSession } from './session-home.ts'

const user = (text: string): TurnMessage => ({ role: 'user', text })
const assistant = (text: string): TurnMessage => ({ role: 'assistant', text })
const prompt = [user('hello')]
const end: StepEnd = { prompt, turnFinished: true, calledTools: false, reply: [assistant('hi')] }

const open = ({ hasProvider = true } = {}) => {
  const told: (readonly unknown[])[] = []
  const tell =
    (name: string) =>
    async (...given: readonly unknown[]) => {
      told.push([name, ...given])
      return 'Keep the port.'
    }
  const provider = {
    name: 'notes',
    systemPromptBlock: '',
    tools: [],
    turnFinished: tell('turn'),
    sessionEnded: tell('ended'),
    sessionSwitched: tell('switched'),
    beforeCompress: tell('compress'),
  } as unknown as ProviderConnection
  let activities = 0
  const activity = {
    lastStepAt: undefined,
    note: () => {
      activities++
      return undefined
    },
  }
  const inherited: (readonly [string, boolean])[] = []
  const other = (id: string) =>
    ({ id, goesOn: async (tainted: Promise<boolean>) => inherited.push([id, await tainted]) }) as unknown as OwnedSession
  const { home, of, recordOf, storage } = sessionHome({ activity, session: other, ...(hasProvider ? { provider } : {}) })
  const session = new HomeSession(home, 'one', undefined)
  const misuses = () => of('host-failed').map(({ operation, error }) => [operation, error.message] as const)
  const turns = () => told.flatMap(([name, turn]) => (name === 'turn' ? [turn] : []))
  return { session, told, turns, inherited, misuses, recordOf, storage, activities: () => activities }
}

describe('a report that is not valid', () => {
  const bad = [{ role: 'nobody', text: 'x' }] as never

  const refused = async (report: (session: HomeSession) => void, method: string, message: RegExp) => {
    const { session, misuses, recordOf, activities } = open()
    report(session)
    await session.settled()
    expect(misuses()).toEqual([[method, expect.stringMatching(message)]])
    expect(misuses()[0]?.[1]).toMatch(/Nothing was counted\.$/)
    expect([await recordOf(), activities()]).toEqual([undefined, 0])
  }

  it.each([undefined, bad])('of a prompt is refused: %o', (given) =>
    refused((session) => session.beginStep(given as never), 'beginStep', /list of messages/),
  )

  it.each([
    [undefined, /endStep takes an object/],
    ['a step', /endStep takes an object/],
    [{ ...end, turnFinished: 1 }, /'turnFinished' and 'calledTools'/],
    [{ ...end, calledTools: undefined }, /'turnFinished' and 'calledTools'/],
    [{ ...end, reply: 'hi' }, /'reply' must be a list/],
    [{ ...end, prompt: bad }, /'prompt' must be a list/],
    [{ ...end, model: 'gpt' }, /'model' must be a function/],
  ])('of the end of a step is refused: %o', (step, message) => refused((session) => session.endStep(step as StepEnd), 'endStep', message))

  it.each([
    [null, /recordTurn takes an object/],
    [{}, /'messages' must be a list/],
    [{ messages: prompt, before: bad }, /'before' must be a list/],
    [{ messages: prompt, toolIterations: -1 }, /'toolIterations' must be a whole number, 0 or more/],
    [{ messages: prompt, toolIterations: 1.5 }, /'toolIterations'/],
    [{ messages: prompt, model: {} }, /'model' must be a function/],
  ])('of a turn is refused: %o', (turn, message) => refused((session) => session.recordTurn(turn as CompletedTurn), 'recordTurn', message))

  it('of an interrupted call is refused', () =>
    refused((session) => session.noteInterrupted(prompt, 'half' as never), 'noteInterrupted', /'prompt' and 'reply' must be a list/))
})

describe('the memory provider of a session', () => {
  it('is told of a finished turn behind the turn, in the words of both sides', async () => {
    const { session, turns } = open()
    await session.systemBlock()
    session.recordTurn({
      messages: [
        user(`Which port?\n${fenceContext('recalled')}`),
        { ...user('a file'), outside: true },
        user(' And which host? '),
        user(' '),
        assistant('I look.'),
        { role: 'tool', text: 'port 8080' },
        { ...assistant('a cited page'), outside: true },
        assistant('It is 8080.'),
      ],
      automated: true,
    })
    expect(turns()).toEqual([])
    await session.settled()
    expect(turns()).toEqual([
      { sessionId: 'one', user: 'Which port?\n\nAnd which host?', assistant: 'I look.\n\nIt is 8080.', automated: true },
    ])
  })

  it('is asked before a host compacts its context, without recalled text, and told that the session ended', async () => {
    const { session, told } = open()
    const messages = [user(`hello\n${fenceContext('recalled')}`), { ...assistant('hi'), toolNames: ['look'] }]
    expect(await session.beforeCompress(messages)).toBe('Keep the port.')
    const shown = [
      { role: 'user', text: expect.stringMatching(/^hello\s*$/) },
      { role: 'assistant', text: 'hi' },
    ]
    await session.settled()
    expect(told).toStrictEqual([
      ['compress', 'one', shown],
      ['ended', 'one'],
    ])
  })

  it.each([
    ['compress', [['two', true]]],
    ['branch', [['two', true]]],
    ['new', []],
  ] as const)(
    'is told that the conversation goes on under another id, by %s: text from outside stays in sight unless it begins anew',
    async (reason, taken) => {
      const { session, told, inherited } = open()
      session.goesOn(Promise.resolve(true))
      expect(session.switchTo('two', reason).id).toBe('two')
      expect(told).toEqual([])
      await session.settled()
      expect(told).toEqual([['switched', { from: 'one', to: 'two', reason }]])
      expect(inherited).toEqual(taken)
    },
  )

  it('is told of no switch without a reason', () => {
    const { session } = open()
    expect(() => session.switchTo('two', 'other' as SwitchReason)).toThrow(/^switchTo takes a reason: 'compress', 'branch' or 'new'\.$/)
    expect(session.idle).toBe(true)
  })
})
