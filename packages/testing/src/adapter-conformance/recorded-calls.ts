/** What the worlds of all tests share: the host's model, which the suite plays, a record of its calls, and notes stored through the gate. */
import type { Session } from '@hermes/core'
import type { ModelAnswer, ModelCall } from './adapter-host.ts'
import { proposes, says } from './answers.ts'

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
