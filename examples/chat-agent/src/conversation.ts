/** One session of the chat: its messages, the model wrapped by Hermes, and the tools: the agent's own and those of Hermes. */
import { hermesMiddleware, hermesTools } from '@hermes/ai-sdk'
import type { Session } from '@hermes/core'
import { isStepCount, type ModelMessage, streamText, type TextStreamPart, type ToolSet, wrapLanguageModel } from 'ai'
import type { ProviderModel } from './choose-model.ts'
import { ownTools } from './own-tools.ts'

/** The agent's own system prompt. Nothing in it may change between two turns: providers cache by prefix. */
const INSTRUCTIONS = `You are a friendly, concise assistant in a terminal. Answer in plain text without Markdown tables or headings.
What you remember from earlier sessions, if anything, stands below. When the user asks you to remember, change or forget something, use the memory tool.
Never work a sum out in your head: use the calculate tool, one call for each step. Never guess the date or the time: use current_time.`

/** What the screen is told while a turn runs. */
export type TurnPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool'; readonly toolName: string; readonly input: unknown; readonly output: unknown }
  | { readonly type: 'tool-failed'; readonly toolName: string; readonly error: unknown }

/** `out-of-steps`: the model still wanted to call tools when its steps were used up. */
export type TurnEnd = { readonly kind: 'answered' | 'out-of-steps' | 'stopped' } | { readonly kind: 'failed'; readonly error: unknown }

type OnPart = (part: TurnPart) => void

/** The most model calls in one turn. */
export const MAX_STEPS = 12

const toTurnPart = (part: TextStreamPart<ToolSet>): TurnPart | undefined => {
  if (part.type === 'text-delta') return { type: 'text', text: part.text }
  if (part.type === 'tool-result') return { type: 'tool', toolName: part.toolName, input: part.input, output: part.output }
  return part.type === 'tool-error' ? { type: 'tool-failed', toolName: part.toolName, error: part.error } : undefined
}

export const startConversation = (session: Session, provider: ProviderModel) => {
  const model = wrapLanguageModel({ model: provider, middleware: hermesMiddleware(session) })
  const tools = { ...ownTools(), ...hermesTools(session) }
  let messages: readonly ModelMessage[] = []

  const stream = async (asked: readonly ModelMessage[], signal: AbortSignal, onPart: OnPart): Promise<TurnEnd> => {
    const result = streamText({
      model,
      instructions: INSTRUCTIONS,
      messages: [...asked],
      tools,
      stopWhen: isStepCount(MAX_STEPS),
      abortSignal: signal,
      // Errors arrive as parts of the stream; the default would print them with their stack.
      onError: () => {},
    })
    let said = ''
    let finishReason = ''
    for await (const part of result.stream) {
      if (part.type === 'error') return { kind: 'failed', error: part.error }
      if (part.type === 'abort') {
        // What was already said stays, so that "go on" makes sense; a turn without an answer is taken back.
        if (said !== '') messages = [...asked, { role: 'assistant', content: said }]
        return { kind: 'stopped' }
      }
      if (part.type === 'finish') finishReason = part.finishReason
      if (part.type === 'text-delta') said += part.text
      const shown = toTurnPart(part)
      if (shown !== undefined) onPart(shown)
    }
    messages = [...asked, ...(await result.responseMessages)]
    return { kind: finishReason === 'tool-calls' ? 'out-of-steps' : 'answered' }
  }

  return {
    session,
    /** One turn. Contract: never rejects; a failed turn leaves the messages as they were. */
    send: (text: string, signal: AbortSignal, onPart: OnPart): Promise<TurnEnd> =>
      stream([...messages, { role: 'user', content: text }], signal, onPart).catch((error: unknown) =>
        signal.aborted ? { kind: 'stopped' } : { kind: 'failed', error },
      ),
  }
}

export type Conversation = ReturnType<typeof startConversation>
