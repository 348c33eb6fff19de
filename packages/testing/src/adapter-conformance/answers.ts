/** Answers of the suite's model. */
import type { ReviewProposal } from '@hermes/core'
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
