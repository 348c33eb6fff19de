/** A finished answer as a stream of provider parts, word by word, as a real model would send it. */
import { setTimeout as wait } from 'node:timers/promises'
import type { ProviderContent, ProviderGenerateResult, ProviderStreamPart } from '../model/provider-spec.ts'

const words = (text: string): readonly string[] => text.match(/\s*\S+|\s+$/g) ?? []

const textParts = async function* (text: string, pause: () => Promise<unknown>): AsyncGenerator<ProviderStreamPart> {
  yield { type: 'text-start', id: 'answer' }
  for (const delta of words(text)) {
    await pause()
    yield { type: 'text-delta', id: 'answer', delta }
  }
  yield { type: 'text-end', id: 'answer' }
}

const contentParts = async function* (content: ProviderContent, pause: () => Promise<unknown>): AsyncGenerator<ProviderStreamPart> {
  if (content.type === 'text') yield* textParts(content.text, pause)
  if (content.type !== 'tool-call') return
  yield { type: 'tool-input-start', id: content.toolCallId, toolName: content.toolName }
  yield { type: 'tool-input-delta', id: content.toolCallId, delta: content.input }
  yield { type: 'tool-input-end', id: content.toolCallId }
  yield content
}

const resultParts = async function* (result: ProviderGenerateResult, pause: () => Promise<unknown>): AsyncGenerator<ProviderStreamPart> {
  yield { type: 'stream-start', warnings: [] }
  for (const content of result.content) yield* contentParts(content, pause)
  yield { type: 'finish', usage: result.usage, finishReason: result.finishReason }
}

/** `wordDelayMs`: the pause before each word. An abort breaks the stream off with the signal's reason. */
export const wordStream = (
  result: ProviderGenerateResult,
  wordDelayMs: number,
  signal?: AbortSignal,
): ReadableStream<ProviderStreamPart> => {
  const pause = async (): Promise<void> => {
    signal?.throwIfAborted()
    if (wordDelayMs > 0) await wait(wordDelayMs, undefined, signal === undefined ? {} : { signal })
  }
  const parts = resultParts(result, pause)
  return new ReadableStream<ProviderStreamPart>({
    pull: async (controller) => {
      const { done, value } = await parts.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => {
      await parts.return(undefined)
    },
  })
}
