/** The model of the host, which the suite plays: its answers, a record of its calls, and notes stored through the gate. */

import type { ReviewProposal, Session } from '@hermes/core'
import type { ModelAnswer, ModelCall } from './adapter-host.ts'

async function* each(chunks: readonly string[]): AsyncIterable<string> {
  yield* chunks
}

async function* broken(chunks: readonly string[], error: Error): AsyncIterable<string> {
  yield* chunks
  throw error
}

/** A text, streamed in these pieces. */
export const says = (...chunks: readonly string[]): ModelAnswer => ({ type: 'text', chunks: each(chunks) })

export const breaksOff = (error: Error, ...chunks: readonly string[]): ModelAnswer => ({ type: 'text', chunks: broken(chunks, error) })

/** A call of a tool, as the whole answer. */
export const calls = (toolName: string, input: Readonly<Record<string, unknown>> = {}): ModelAnswer => ({
  type: 'tool-call',
  toolName,
  input,
})

export const looksUp = (topic: string): ModelAnswer => calls('lookup', { topic })

/** Calls the tool that asks the model another question, as a sub-agent does. */
export const delegates = (sessionId: string, question: string): ModelAnswer => calls('delegate', { sessionId, question })

export const fails = (error: Error, retryable = false): ModelAnswer => ({ type: 'error', error, retryable })

/** The answer of a reviewer. */
export const proposes = (...proposals: readonly ReviewProposal[]): ModelAnswer => says(JSON.stringify({ proposals }))

/** The complete text of a SKILL.md. */
export const skillText = (name: string, description: string, body: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`

/** Proposes a profile fact with a sentence of the user as evidence. */
export const userFact = (content: string, quote: string, score = 0.9): ReviewProposal => ({
  target: 'user',
  op: { action: 'add', content },
  rationale: 'The user said so.',
  score,
  evidence: [{ quote }],
})

export type Answers = (call: ModelCall) => ModelAnswer | Promise<ModelAnswer>

export interface RecordedCalls {
  /** Model calls of user turns, in order. */
  readonly turnCalls: readonly ModelCall[]
  /** Model calls of reviews, in order. */
  readonly reviewCalls: readonly ModelCall[]
  /** Sets the answer to all further reviews. */
  answerReviews(answer: Answers): void
}

export type AnswersOrNone = (call: ModelCall) => ModelAnswer | undefined | Promise<ModelAnswer | undefined>

/** `answerTurn`: the answer to a call of a turn; 'Fine.' if it is `undefined`. */
export const recordCalls = (answerTurn: AnswersOrNone) => {
  const turnCalls: ModelCall[] = []
  const reviewCalls: ModelCall[] = []
  let review: Answers = () => proposes()
  const calls: RecordedCalls = {
    turnCalls,
    reviewCalls,
    answerReviews(answer) {
      review = answer
    },
  }
  const model = async (call: ModelCall): Promise<ModelAnswer> => {
    if (call.purpose === 'review') {
      reviewCalls.push(call)
      return review(call)
    }
    turnCalls.push(call)
    return (await answerTurn(call)) ?? says('Fine.')
  }
  return { calls, model }
}

/** Stores a note through the gate of a session, as a tool call would. */
export const rememberIn = async (session: Session, note: string): Promise<void> => {
  const proposal = {
    target: 'memory',
    op: { action: 'add', content: note },
    rationale: 'asked for',
    score: 1,
    evidence: [{ quote: note }],
  } as const
  const disposed = await session.submit(proposal, [{ role: 'user', text: `Please remember this: ${note}` }])
  if (!disposed.ok) throw disposed.error
  if (disposed.value.kind !== 'applied') throw new Error(`'${note}' was not remembered: ${JSON.stringify(disposed.value)}`)
}
