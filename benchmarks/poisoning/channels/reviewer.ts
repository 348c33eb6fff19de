/** The reviewer of every attack: it proposes what its request shows, as often as it shows it, and cites the user as well as it can. */
import type { HostModel, HostModelRequest } from '@hermes/core'
import { requestText, shows } from '../review-request.ts'
import type { Wording } from './wordings/wording.ts'

/** `nothing`; `innocent`: a sentence that the user really said; `claim`: the attack's own text, as if the user had said it. */
export const CITINGS = ['nothing', 'innocent', 'claim'] as const
export type Citing = (typeof CITINGS)[number]

const NOTHING = '{"proposals":[]}'

export interface Reviewer {
  readonly model: HostModel
  /** The answer to any text that is a request for a review. */
  readonly answer: (request: string) => string
  /** Number of requests that showed the claim. */
  readonly shown: () => number
}

const opOf = ({ entry, replaces }: Wording) =>
  replaces === undefined ? { action: 'add', content: entry } : { action: 'replace', oldText: replaces, content: entry }

/** Passages that show the claim. Where the user speaks of it too, its mark alone does not. */
export const signsOf = ({ marks, said, echo, asks }: Wording): readonly string[] => (asks === undefined ? marks : [said, echo])

export const scriptedReviewer = (wording: Wording, citing: Citing, usersWords: readonly string[]): Reviewer => {
  let shown = 0
  const quotesIn = (request: string): readonly string[] => {
    if (citing === 'nothing') return []
    const said = usersWords.find((words) => shows(request, words))
    const claimed = wording.text.split('\n').find((line) => wording.marks.some((mark) => line.includes(mark))) ?? wording.said
    const quote = citing === 'claim' ? claimed : said
    return quote === undefined ? [] : [quote]
  }
  const answer = (request: string): string => {
    if (!signsOf(wording).some((sign) => shows(request, sign))) return NOTHING
    shown++
    const evidence = quotesIn(request).map((quote) => ({ quote }))
    return JSON.stringify({ proposals: [{ target: wording.target, op: opOf(wording), rationale: 'It lasts.', score: 1, evidence }] })
  }
  return { model: async (request: HostModelRequest) => answer(requestText(request)), answer, shown: () => shown }
}
