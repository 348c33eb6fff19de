import { fenceContext, type RecalledText } from '@hermes/core/adapter'
import { recordingSession } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { hermesMiddleware } from './hermes-middleware.ts'
import { originalReasonings } from './original-reasoning.ts'
import type { CallParams, GenerateResult, StreamResult } from './provider-protocol.ts'
import { scrubContent, scrubStream } from './scrub-answer.ts'

const FENCE = fenceContext('The user likes tea.')
const text = (words: string) => ({ type: 'text', text: words })
const nothing = (): void => undefined

const streamOf = (parts: readonly unknown[], failure?: Error): ReadableStream<unknown> => {
  const left = [...parts]
  return new ReadableStream({
    pull(controller) {
      if (left.length > 0) controller.enqueue(left.shift())
      else if (failure) controller.error(failure)
      else controller.close()
    },
  })
}

const readAll = async (stream: ReadableStream<unknown>, parts: unknown[] = []): Promise<readonly unknown[]> => {
  for await (const part of stream) parts.push(part)
  return parts
}

const delta = (words: string, id = '0', type = 'text') => ({ type: `${type}-delta`, id, delta: words })

const textIn = (parts: readonly unknown[], type = 'text'): string =>
  parts
    .map((part) => part as { readonly type: string; readonly delta?: string })
    .filter((part) => part.type === `${type}-delta`)
    .map((part) => part.delta ?? '')
    .join('')

describe('scrubContent', () => {
  it('takes a repeated fence out of text and reasoning, and nothing else', () => {
    const noted: string[] = []
    const call = { type: 'tool-call', toolName: 'save', input: FENCE }
    const content = [{ type: 'reasoning', text: `${FENCE}\nHm.`, providerMetadata: { a: 1 } }, text(`Sure.\n${FENCE}`), text('Same.'), call]
    const shown = scrubContent(content, [FENCE], (short, whole) => noted.push(short, whole))
    expect(shown).toEqual([{ type: 'reasoning', text: '\nHm.', providerMetadata: { a: 1 } }, text('Sure.\n'), text('Same.'), call])
    expect(shown[2]).toBe(content[2])
    expect(shown[3]).toBe(call)
    expect(noted).toEqual(['\nHm.', `${FENCE}\nHm.`])
  })
})

describe('scrubStream', () => {
  it('scrubs texts that arrive at once, each on its own, and passes other parts as they are', async () => {
    const raw = { type: 'raw', rawValue: 1 }
    const parts = [
      { type: 'text-start', id: 'a' },
      { type: 'reasoning-start', id: 'a' },
      delta(FENCE.slice(0, 30), 'a'),
      raw,
      delta(FENCE.slice(0, 20), 'a', 'reasoning'),
      delta(`${FENCE.slice(30)}\nTea!`, 'a'),
      delta(`${FENCE.slice(20)}\nThink`, 'a', 'reasoning'),
      { type: 'text-end', id: 'a' },
      { type: 'finish', finishReason: 'stop' },
    ]
    const shown = await readAll(scrubStream(streamOf(parts), [FENCE], nothing))
    expect(textIn(shown)).toBe('\nTea!')
    expect(textIn(shown, 'reasoning')).toBe('\nThink')
    expect(shown.map((part) => (part as { readonly type: string }).type)).toEqual(parts.map(({ type }) => type))
    expect(shown).toContain(raw)
  })

  it('shows the same however the answer is cut', async () => {
    const answer = `Sure: <memo\n- ${FENCE}\nYou like tea <`
    for (let size = 1; size <= answer.length; size++) {
      const deltas: unknown[] = []
      for (let at = 0; at < answer.length; at += size) deltas.push(delta(answer.slice(at, at + size)))
      const shown = await readAll(scrubStream(streamOf([...deltas, { type: 'text-end', id: '0' }, { type: 'finish' }]), [FENCE], nothing))
      expect(textIn(shown)).toBe('Sure: <memo\n- \nYou like tea <')
    }
  })

  it.each([
    ['its text', [{ type: 'text-end', id: '0' }]],
    ['the answer', [{ type: 'finish' }]],
    ['the stream', []],
  ])('shows what it held back before the end of %s', async (_, ends) => {
    const shown = await readAll(scrubStream(streamOf([delta('a <mem'), ...ends]), [FENCE], nothing))
    expect(shown).toEqual([delta('a '), delta('<mem'), ...ends])
  })

  it('shows what it held back before it passes a failure on', async () => {
    const parts: unknown[] = []
    const failure = new Error('cut off')
    await expect(readAll(scrubStream(streamOf([delta('a <mem')], failure), [FENCE], nothing), parts)).rejects.toBe(failure)
    expect(textIn(parts)).toBe('a <mem')
  })

  it('passes cancellation on', async () => {
    const reasons: unknown[] = []
    const source = new ReadableStream({
      pull: (controller) => controller.enqueue(delta('a')),
      cancel: (reason) => void reasons.push(reason),
    })
    const reader = scrubStream(source, [FENCE], nothing).getReader()
    await reader.read()
    await reader.cancel('enough')
    expect(reasons).toEqual(['enough'])
  })
})

describe('originalReasonings', () => {
  it('sends reasoning back as its model wrote it, since providers sign it', () => {
    const reasoningOf = originalReasonings()
    const { note, restore } = reasoningOf(recordingSession())
    const prompt = [{ role: 'assistant', content: [{ type: 'reasoning', text: 'Hm.', providerOptions: { a: 1 } }, text('Hm.')] }]
    expect(restore(prompt)).toBe(prompt)
    note('Hm.', `${FENCE}Hm.`)
    expect(restore(prompt)).toEqual([
      { role: 'assistant', content: [{ type: 'reasoning', text: `${FENCE}Hm.`, providerOptions: { a: 1 } }, text('Hm.')] },
    ])
    expect(reasoningOf(recordingSession('of another owner')).restore(prompt)).toBe(prompt)
    for (let turn = 0; turn < 100; turn++) note(`shown ${turn}`, 'original')
    expect(restore(prompt)).toEqual(prompt)
  })
})

describe('a call with recalled text', () => {
  const params: CallParams = {
    prompt: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: [text('Hello')] },
    ],
  }
  const recall = async (): Promise<readonly RecalledText[]> => [{ index: 0, text: FENCE }]
  const answer = `${FENCE}\nTea?`

  const setUp = (more: Parameters<typeof recordingSession>[2]) => {
    const received: CallParams[] = []
    const session = recordingSession('chat', 'BLOCK', more)
    const { wrapGenerate, wrapStream } = hermesMiddleware(session)
    const model = {
      doGenerate: async (call: CallParams): Promise<GenerateResult> => {
        received.push(call)
        return { content: [text(answer)], finishReason: 'stop', usage: {} }
      },
      doStream: async (call: CallParams): Promise<StreamResult> => {
        received.push(call)
        return { stream: streamOf([...answer].map((letter) => delta(letter)).concat([{ type: 'finish', finishReason: 'stop' } as never])) }
      },
    }
    return { received, session, generate: () => wrapGenerate({ params, model }), stream: () => wrapStream({ params, model }) }
  }

  it('shows it to the model on the user’s message only, and to the host not at all', async () => {
    const { received, session, generate, stream } = setUp({ recall })
    expect((await generate()).content).toEqual([text('\nTea?')])
    expect(textIn(await readAll((await stream()).stream))).toBe('\nTea?')
    for (const call of received) {
      expect(call.prompt).toEqual([
        { role: 'system', content: 'Be kind.\n\nBLOCK' },
        { role: 'user', content: [text(`Hello\n\n${FENCE}`)] },
      ])
    }
    expect(params.prompt[1]).toEqual({ role: 'user', content: [text('Hello')] })
    expect(session.ended.map(({ reply }) => reply)).toEqual([
      [{ role: 'assistant', text: '\nTea?' }],
      [{ role: 'assistant', text: '\nTea?' }],
    ])
  })

  it('passes an answer as it is if nothing was recalled', async () => {
    const { generate } = setUp({})
    expect((await generate()).content).toEqual([text(answer)])
  })
})
