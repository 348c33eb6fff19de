/** Hooks as the SDK calls them, over real transcripts. The real SDK: test/hosts/agent-sdk.long.test.ts. */
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHermes, type HermesEvent, inMemoryBackend, type Session } from '@hermes/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hermesHooks, hermesServer, hostModel } from './agent-sdk.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-sdk-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const open = () => {
  const [read, events]: [string[], HermesEvent[]] = [[], []]
  const hermes = createHermes({
    storage: inMemoryBackend(),
    nudge: { memoryInterval: 1 },
    review: {
      model: async ({ messages }) => {
        read.push(messages.map(({ content }) => content).join('\n'))
        return '{"proposals":[]}'
      },
    },
    onEvent: (event) => events.push(event),
  })
  const turns = () => events.reduce((sum, event) => sum + (event.type === 'review-started' ? event.turns : 0), 0)
  return { hermes, read, turns }
}

const row = (role: 'user' | 'assistant', text: string): string =>
  `${JSON.stringify({ type: role, message: { role, content: [{ type: 'text', text }] }, timestamp: new Date().toISOString() })}\n`

const call = (session: Session, event: 'UserPromptSubmit' | 'Stop', input: unknown) =>
  hermesHooks(session)[event][0]?.hooks[0]?.(input) ?? Promise.reject(new Error('There is no such hook.'))

describe('the hooks', () => {
  it('record a turn once, as soon as its answer is written, and of a resumed conversation only what is new', async () => {
    const { hermes, read, turns } = open()
    const session = hermes.session('s')
    const input = { transcript_path: join(folder, 's.jsonl'), last_assistant_message: 'Good tea.' }
    const old = row('user', 'Old words').replace(/20\d\d-/, '2020-') + row('assistant', 'Old answer').replace(/20\d\d-/, '2020-')
    await appendFile(input.transcript_path, old)
    await call(session, 'UserPromptSubmit', input)
    const stopped = call(session, 'Stop', input)
    await appendFile(input.transcript_path, row('user', 'I like tea'))
    await new Promise((resolve) => setTimeout(resolve, 60))
    await appendFile(input.transcript_path, row('assistant', 'Good tea.'))
    expect(await stopped).toEqual({})
    await hermes.settled()
    expect(turns()).toBe(1)
    expect([read.join().includes('I like tea'), read.join().includes('Good tea.'), read.join().includes('Old words')]).toEqual([
      true,
      true,
      false,
    ])
    await appendFile(input.transcript_path, row('user', 'And cake') + row('assistant', 'Good cake.'))
    await call(session, 'Stop', { ...input, last_assistant_message: 'Good cake.' })
    await hermes.settled()
    expect(turns()).toBe(2)
  })

  it('of a sub-agent, without a transcript and without an input do nothing', async () => {
    const { hermes, turns } = open()
    const session = hermes.session('s')
    const transcript = join(folder, 's.jsonl')
    await appendFile(transcript, row('user', 'I like tea') + row('assistant', 'Good.'))
    const inputs = [{ agent_id: 'a', transcript_path: transcript }, { transcript_path: '/nowhere/t.jsonl' }, undefined, 'text']
    for (const input of inputs) expect(await call(session, 'UserPromptSubmit', input)).toEqual({})
    expect(await Promise.all(inputs.map((input) => call(hermes.session(`s${inputs.indexOf(input)}`), 'Stop', input)))).toEqual(
      inputs.map(() => ({})),
    )
    await hermes.settled()
    expect(turns()).toBe(0)
  })

  it('of something that is no session are a TypeError that says what to write', () => {
    const { hermes } = open()
    expect(() => hermesHooks(hermes as never)).toThrow(/hermesHooks\(hermes\.session\(sessionId\)\)/)
    expect(() => hermesServer(undefined as never)).toThrow(/hermesServer needs a session/)
  })
})

describe('the model of reviews', () => {
  const ask = (messages: readonly unknown[], signal = AbortSignal.timeout(9_999)) => {
    const query = async function* () {
      yield* messages
    }
    const message = { role: 'user', content: 'Anything?' } as const
    return hostModel(query)({ purpose: 'review', mode: 'digest', system: '', messages: [message], schema: {}, maxOutputTokens: 9, signal })
  }

  it('rejects if the SDK fails, stops without an answer, or is no longer wanted', async () => {
    await expect(ask([{ type: 'result', is_error: true, result: 'out of credit' }])).rejects.toThrow('out of credit')
    await expect(ask([{ type: 'system' }])).rejects.toThrow('without an answer')
    await expect(ask([], AbortSignal.abort())).rejects.toThrow(/abort/)
  })
})
