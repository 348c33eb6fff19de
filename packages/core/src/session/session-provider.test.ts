/** What a memory provider is told of a session, and asked. */
import { describe, expect, it } from 'vitest'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { fenceContext } from '../provider/context-fence.ts'
import type { ProviderConnection } from '../provider/provider-connection.ts'
import type { SwitchReason } from './session.ts'
import type { OwnedSession } from './session-handles.ts'
import { sessionProvider } from './session-provider.ts'

const user = (text: string): TurnMessage => ({ role: 'user', text })
const assistant = (text: string): TurnMessage => ({ role: 'assistant', text })

const open = ({ hasProvider = true } = {}) => {
  const told: unknown[] = []
  const tell =
    (name: string) =>
    async (...given: readonly unknown[]) => {
      told.push([name, ...given])
      return 'Keep the port.'
    }
  const provider = {
    turnFinished: tell('turn'),
    sessionEnded: tell('ended'),
    sessionSwitched: tell('switched'),
    beforeCompress: tell('compress'),
  } as unknown as ProviderConnection
  const inherited: (readonly [string, boolean])[] = []
  const tasks: (() => Promise<unknown>)[] = []
  const openSession = (id: string) =>
    ({ id, goesOn: async (tainted: Promise<boolean>) => inherited.push([id, await tainted]) }) as unknown as OwnedSession
  const telling = sessionProvider({
    sessionId: 'one',
    provider: hasProvider ? provider : undefined,
    tasks: { run: (task) => tasks.push(task) },
    openSession,
    isTainted: async () => true,
  })
  const runTasks = async () => {
    for (const task of tasks.splice(0)) await task()
  }
  return { telling, told, tasks, runTasks, inherited }
}

describe('a finished turn', () => {
  it('is told behind the turn, in the words of both sides', async () => {
    const { telling, told, runTasks } = open()
    telling.turnFinished(
      [
        user(`Which port?\n${fenceContext('recalled')}`),
        { ...user('a file'), outside: true },
        user(' And which host? '),
        user(' '),
        assistant('I look.'),
        { role: 'tool', text: 'port 8080' },
        { ...assistant('a cited page'), outside: true },
        assistant('It is 8080.'),
      ],
      true,
    )
    expect(told).toEqual([])
    await runTasks()
    expect(told).toEqual([
      ['turn', { sessionId: 'one', user: 'Which port?\n\nAnd which host?', assistant: 'I look.\n\nIt is 8080.', automated: true }],
    ])
  })

  it('is not told if the session was forgotten meanwhile', async () => {
    const { telling, told, runTasks } = open()
    telling.turnFinished([user('hello')], false)
    telling.switchTo('two', 'new')
    telling.forget()
    await runTasks()
    await telling.ended()
    expect(told).toEqual([])
    expect(await telling.beforeCompress([user('hello')])).toBe('')
  })
})

describe('before a host compacts its context', () => {
  it('the provider is asked about what is shown, without recalled text, and told that the session ended', async () => {
    const { telling, told, runTasks } = open()
    const messages = [user(`hello\n${fenceContext('recalled')}`), { ...assistant('hi'), toolNames: ['look'] }]
    expect(await telling.beforeCompress(messages)).toBe('Keep the port.')
    const shown = [
      { role: 'user', text: expect.stringMatching(/^hello\s*$/) },
      { role: 'assistant', text: 'hi' },
    ]
    expect(told).toStrictEqual([['compress', 'one', shown]])
    await runTasks()
    expect(told.slice(1)).toEqual([['ended', 'one']])
  })

  it('nobody is asked about what are no messages', async () => {
    const { telling, told, tasks } = open()
    expect(await telling.beforeCompress('hello' as never)).toBe('')
    expect([told, tasks]).toEqual([[], []])
  })
})

describe('a conversation that goes on under another id', () => {
  it.each([
    ['compress', [['two', true]]],
    ['branch', [['two', true]]],
    ['new', []],
  ] as const)('by %s: text from outside stays in sight unless it begins anew', async (reason, taken) => {
    const { telling, told, runTasks, inherited } = open()
    expect(telling.switchTo('two', reason).id).toBe('two')
    expect(told).toEqual([])
    await runTasks()
    expect(told).toEqual([['switched', { from: 'one', to: 'two', reason }]])
    expect(inherited).toEqual(taken)
  })

  it('needs a reason', () => {
    const { telling, tasks } = open()
    expect(() => telling.switchTo('two', 'other' as SwitchReason)).toThrow(/^switchTo takes a reason: 'compress', 'branch' or 'new'\.$/)
    expect(tasks).toEqual([])
  })
})

it('without a provider, nobody is told or asked, and nothing waits', async () => {
  const { telling, told, tasks, inherited } = open({ hasProvider: false })
  telling.turnFinished([user('hello')], false)
  expect(await telling.beforeCompress([user('hello')])).toBe('')
  telling.switchTo('two', 'branch')
  await telling.ended()
  expect([told, tasks]).toEqual([[], []])
  expect(inherited).toEqual([['two', true]])
})
