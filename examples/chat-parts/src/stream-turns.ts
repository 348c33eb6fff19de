/** A conversation with a model of the AI SDK: its messages, and each turn as a stream of what a screen shows. */
import { isStepCount, type LanguageModel, type ModelMessage, streamText, type TextStreamPart, type ToolSet } from 'ai'

/** What the screen is told while a turn runs. */
export type TurnPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool'; readonly toolName: string; readonly input: unknown; readonly output: unknown }
  | { readonly type: 'tool-failed'; readonly toolName: string; readonly error: unknown }

/** `empty`: the model said nothing. `out-of-steps`: it still wanted to call tools when its steps were used up. `begun`: a part of the answer had come. */
export type TurnEnd =
  | { readonly kind: 'answered' | 'empty' | 'out-of-steps' | 'stopped' }
  | { readonly kind: 'failed'; readonly error: unknown; readonly begun: boolean }

type OnPart = (part: TurnPart) => void

/** The most model calls in one turn. */
export const MAX_STEPS = 12

const toTurnPart = (part: TextStreamPart<ToolSet>): TurnPart | undefined => {
  if (part.type === 'text-delta') return { type: 'text', text: part.text }
  if (part.type === 'tool-result') return { type: 'tool', toolName: part.toolName, input: part.input, output: part.output }
  return part.type === 'tool-error' ? { type: 'tool-failed', toolName: part.toolName, error: part.error } : undefined
}

const endedBy = (part: TextStreamPart<ToolSet>, said: string): TurnEnd | undefined => {
  if (part.type === 'error') return { kind: 'failed', error: part.error, begun: said !== '' }
  return part.type === 'abort' ? { kind: 'stopped' } : undefined
}

/** Returns a function that runs one turn. Contract: never rejects; a failed turn leaves the messages as they were. */
export const streamTurns = (options: { readonly model: LanguageModel; readonly tools: ToolSet; readonly instructions: string }) => {
  let messages: readonly ModelMessage[] = []
  /** In this turn. */
  let said = ''

  const stream = async (asked: readonly ModelMessage[], signal: AbortSignal, onPart: OnPart): Promise<TurnEnd> => {
    const result = streamText({
      ...options,
      messages: [...asked],
      stopWhen: isStepCount(MAX_STEPS),
      abortSignal: signal,
      // Errors arrive as parts of the stream; the default would print them with their stack.
      onError: () => {},
    })
    said = ''
    let called = false
    let finishReason = ''
    for await (const part of result.stream) {
      const ended = endedBy(part, said)
      // What was already said stays, so that "go on" makes sense; a turn without an answer is taken back.
      if (ended?.kind === 'stopped' && said !== '') messages = [...asked, { role: 'assistant', content: said }]
      if (ended !== undefined) return ended
      if (part.type === 'finish') finishReason = part.finishReason
      const shown = toTurnPart(part)
      if (shown === undefined) continue
      if (shown.type === 'text') said += shown.text
      else called = true
      onPart(shown)
    }
    const isEmpty = said.trim() === '' && finishReason !== 'tool-calls'
    // An empty message would stand in the way of the next request: some providers refuse it.
    if (called || !isEmpty) messages = [...asked, ...(await result.responseMessages)]
    if (isEmpty) return { kind: 'empty' }
    return { kind: finishReason === 'tool-calls' ? 'out-of-steps' : 'answered' }
  }

  return (text: string, signal: AbortSignal, onPart: OnPart): Promise<TurnEnd> =>
    stream([...messages, { role: 'user', content: text }], signal, onPart).catch((error: unknown) =>
      signal.aborted ? { kind: 'stopped' } : { kind: 'failed', error, begun: said !== '' },
    )
}
