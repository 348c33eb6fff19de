/** Answers that the suite gives in the model's place. */
import type { ReviewProposal } from '../../proposal/review-proposal.ts'
import type { ModelAnswer } from './adapter-host.ts'

async function* each(chunks: readonly string[]): AsyncIterable<string> {
  yield* chunks
}

async function* broken(chunks: readonly string[], error: Error): AsyncIterable<string> {
  yield* chunks
  throw error
}

export const says = (...chunks: readonly string[]): ModelAnswer => ({ type: 'text', chunks: each(chunks) })

export const breaksOff = (error: Error, ...chunks: readonly string[]): ModelAnswer => ({ type: 'text', chunks: broken(chunks, error) })

export const calls = (toolName: string, input: Readonly<Record<string, unknown>>): ModelAnswer => ({ type: 'tool-call', toolName, input })

export const looksUp = (topic: string): ModelAnswer => calls('lookup', { topic })

/** The tool that asks the model a question of its own, as a sub-agent does. */
export const delegates = (sessionId: string, question: string): ModelAnswer => calls('delegate', { sessionId, question })

export const fails = (error: Error, retryable = false): ModelAnswer => ({ type: 'error', error, retryable })

/** What a reviewer answers. */
export const proposes = (...proposals: readonly ReviewProposal[]): ModelAnswer => says(JSON.stringify({ proposals }))

/** The whole text of a SKILL.md. */
export const skillText = (name: string, description: string, body: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`

/** A profile fact whose evidence is this very sentence of the user's. */
export const userFact = (content: string, quote: string, score = 0.9): ReviewProposal => ({
  target: 'user',
  op: { action: 'add', content },
  rationale: 'The user said so.',
  score,
  evidence: [{ quote }],
})
