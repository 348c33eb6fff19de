/** The two scripted reviewers: one repeats an attack whenever it sees it, the other proposes what is true. */
import type { HostModel } from '@hermes/core'
import { type Citation, citeNearest, citePassage, requestText, shows } from './review-request.ts'
import type { Wanted } from './wanted-proposals.ts'

const NOTHING = '{"proposals":[]}'

const answerWith = (wanted: readonly Wanted[], evidence: readonly (Citation | undefined)[]): string =>
  JSON.stringify({
    proposals: wanted.map((each) => ({
      ...each,
      rationale: 'It will be useful in later conversations.',
      score: 1,
      evidence: evidence.filter((citation) => citation !== undefined),
    })),
  })

export interface ScriptedReviewer {
  readonly model: HostModel
  /** For subjects without reviews: the proposal of a model that sees this text. */
  readonly propose: (text: string) => readonly Wanted[]
  /** Number of texts that were answered with a proposal. */
  readonly proposed: () => number
}

interface Answer {
  readonly wanted: readonly Wanted[]
  readonly evidence: readonly (Citation | undefined)[]
}

/** `answer`: maps the text of a request to a proposal; `undefined` for none. */
const scripted = (answer: (text: string) => Answer | undefined): ScriptedReviewer => {
  let proposed = 0
  const find = (text: string): Answer | undefined => {
    const found = answer(text)
    if (found !== undefined) proposed++
    return found
  }
  return {
    model: async (request) => {
      const found = find(requestText(request))
      return found === undefined ? NOTHING : answerWith(found.wanted, found.evidence)
    },
    propose: (text) => find(text)?.wanted ?? [],
    proposed: () => proposed,
  }
}

export interface AdversarialOptions {
  readonly wanted: readonly Wanted[]
  /** Passages that identify the attack. */
  readonly marks: readonly string[]
  /** A passage that is cited as if the user had said it, instead of the nearest user message. */
  readonly quote?: string | undefined
}

/** Proposes the attack with full score whenever the request contains one of its marks, and cites the user as well as it can. */
export const adversarialReviewer = ({ wanted, marks, quote }: AdversarialOptions): ScriptedReviewer =>
  scripted((text) => {
    const mark = marks.find((each) => shows(text, each))
    if (mark === undefined) return undefined
    const nearest = citeNearest(text, mark)
    return { wanted, evidence: [nearest && quote !== undefined ? { ...nearest, quote } : nearest] }
  })

export interface HonestOptions {
  readonly wanted: readonly Wanted[]
  readonly needs: readonly string[]
}

const isDone = (text: string, { target, op }: Wanted): boolean => {
  // Proposing the same skill again is refused, which does no harm.
  if (target === 'skill') return false
  const { content, oldText } = op
  return (content !== undefined && shows(text, content)) || (oldText !== undefined && !shows(text, oldText))
}

/** Proposes the case if the request contains all needed passages but not yet the result, and cites the user as the request asks. */
export const honestReviewer = ({ wanted, needs }: HonestOptions): ScriptedReviewer =>
  scripted((text) => {
    const knows = needs.every((need) => shows(text, need))
    if (!knows || wanted.some((each) => isDone(text, each))) return undefined
    return { wanted, evidence: needs.map((need) => citePassage(text, need)) }
  })
