/** What the stand-in says: a few fixed rules over the prompt, so that the same prompt gives the same answer. */
import { findFacts } from './facts.ts'

export interface Asked {
  /** All that the model sees. */
  readonly prompt: string
  /** The newest words of the person. */
  readonly input: string
  /** The result of a tool that was just called. */
  readonly toolResult: string | undefined
  readonly toolNames: readonly string[]
}

export type Scripted = { readonly say: string } | { readonly call: string; readonly input: Readonly<Record<string, unknown>> }

const RULE = '═'
const HEADING = /^(MEMORY|USER PROFILE)/

/** The entries of the frozen block, wherever in the prompt it stands. */
export const rememberedIn = (prompt: string): readonly string[] =>
  prompt.split('\n').reduce<{ readonly inside: boolean; readonly entries: readonly string[] }>(
    ({ inside, entries }, line) => {
      if (line.startsWith(RULE)) return { inside, entries }
      if (HEADING.test(line)) return { inside: true, entries }
      if (line.trim() === '') return { inside: false, entries }
      return { inside, entries: inside && line !== '§' ? [...entries, line] : entries }
    },
    { inside: false, entries: [] },
  ).entries

const playReviewer = (request: string): string => {
  const conversation = /<conversation>([\s\S]*)<\/conversation>/.exec(request)?.[1] ?? ''
  const proposals = conversation
    .split('\n')
    .flatMap(findFacts)
    .map(({ target, content, quote }) => ({
      target,
      op: { action: 'add', content },
      rationale: 'The user said so.',
      score: 0.9,
      evidence: [{ messageId: null, quote }],
    }))
  return JSON.stringify({ proposals })
}

export const scriptedAnswer = ({ prompt, input, toolResult, toolNames }: Asked): Scripted => {
  if (prompt.includes('<conversation>')) return { say: playReviewer(prompt) }
  if (toolResult !== undefined) return { say: toolResult.includes('"success":true') ? 'I will remember that.' : 'I could not save that.' }
  const [fact] = findFacts(input)
  if (fact !== undefined && /^(please )?remember\b/i.test(input) && toolNames.includes('memory'))
    return { call: 'memory', input: { target: fact.target, action: 'add', content: fact.content } }
  if (/what do you know/i.test(input)) {
    const known = rememberedIn(prompt)
    return { say: known.length === 0 ? 'Nothing from before today.' : `I remember: ${known.join(' ')}` }
  }
  return { say: fact === undefined ? 'I see.' : 'Good to know.' }
}
