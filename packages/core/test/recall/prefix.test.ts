import { describe, expect, it } from 'vitest'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { openHome } from '../session/open-home.ts'
import { recordingProvider, type SentCall, say } from './recording-provider.ts'

const FENCE = /<memory-context>\n\[System note: .*\]\n\n(.*)\n<\/memory-context>/s

const factIn = (message = ''): string | undefined => FENCE.exec(message)?.[1]

/** Every message that two calls of a conversation both show was sent with the same bytes. */
const expectSamePrefix = (calls: readonly SentCall[]) => {
  for (const [at, { block, messages }] of calls.entries()) {
    const before = calls[at - 1]
    if (!before) continue
    expect(block).toBe(before.block)
    expect(messages.slice(0, before.messages.length)).toEqual(before.messages)
  }
}

const open = (storage: StorageBackend, provider = recordingProvider(), keepText = true) => {
  const home = openHome(storage, { memory: { provider }, sessions: { keepText } })
  return { ...home, provider }
}

describe('recalled text', () => {
  it('is the same in two processes that take turns in a session', async () => {
    const storage = inMemoryBackend()
    const processes = ['A', 'B'].map((name) => open(storage, recordingProvider({ prefetch: async ({ text }) => `${name} on ${text}` })))
    const history: TurnMessage[] = []
    const calls: SentCall[] = []
    for (let turn = 1; turn <= 12; turn++) {
      const { hermes } = processes[turn % 3 === 0 ? 0 : 1] as (typeof processes)[number]
      calls.push(await say(hermes.session('one'), history, `question ${turn}`))
      await hermes.settled()
    }
    expectSamePrefix(calls)
    expect(calls.at(-1)?.messages.filter((text) => factIn(text) !== undefined)).toHaveLength(12)
  })

  it('survives an edited history: what is before the edit keeps its bytes', async () => {
    const { hermes } = open(inMemoryBackend())
    const session = hermes.session('one')
    const history: TurnMessage[] = []
    const first = await say(session, history, 'one')
    await say(session, history, 'two')
    const edited = [...history.slice(0, 2)]
    const sent = await say(session, edited, 'two, in other words')
    expect(sent.messages[0]).toBe(first.messages[0])
    expect(factIn(sent.messages[2])).toBe('Fact 3 about: two, in other words')
  })

  it('keeps its text in memory only if no text is stored: another process sends none', async () => {
    const storage = inMemoryBackend()
    const first = open(storage, recordingProvider(), false)
    const history: TurnMessage[] = []
    await say(first.hermes.session('one'), history, 'one')
    const calls = await say(first.hermes.session('one'), history, 'two')
    expect(calls.messages.map(factIn)).toEqual(['Fact 1 about: one', undefined, 'Fact 2 about: two'])
    await first.hermes.settled()
    const record = await readDocument(storage, 'sessions/one.json')
    expect(new TextDecoder().decode(record.ok ? record.value?.bytes : undefined)).not.toContain('Fact')
    const second = open(storage, recordingProvider(), false)
    expect((await say(second.hermes.session('one'), history, 'three')).messages.map(factIn)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'Fact 1 about: three',
    ])
  })
})
