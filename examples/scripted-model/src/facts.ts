/** Plain facts in what a person said, found by a few fixed patterns; the stand-in's idea of what is worth keeping. */
import { capitalise, toThirdPerson } from './third-person.ts'

export interface Fact {
  readonly target: 'memory' | 'user'
  /** As an entry: third person, no full stop. */
  readonly content: string
  /** The person's words, exactly. */
  readonly quote: string
  /** False for what was said with a maybe. */
  readonly sure: boolean
}

const HEDGE = /^(?:maybe|perhaps|possibly|probably|I think|I guess|I suppose|not sure,? but)[, ]+|\b(?:might|probably|possibly|perhaps) /i
const LEAD_IN =
  /^(?:please |and |also,? |oh,? |well,? |hi[,!]? |hello[,!]? |by the way,? |(?:remember|note|keep in mind)(?: that)?[:,]? |actually,? |that )/i

const ABOUT_USER = [
  /^my (?:full |first |last )?name is \S/i,
  /^my (?:favou?rite|preferred|native|home|job|e-?mail|editor|team|role|timezone|time zone|birthday|dog|cat|partner|wife|husband|manager)\b.* (?:is|are) \S/i,
  /^I(?: usually| always| mostly| often)? (?:live|work|prefer|like|love|hate|dislike|use|speak|drive|play|study|teach) \S/i,
  /^(?:I'm|I’m|I am) (?:a|an|from|based in|called|allergic to|learning) \S/i,
]
const ABOUT_WORK = [
  /^we (?:deploy|build|test|ship|release|host|run|use|write|store|lint|format) \S/i,
  /^(?:the|this|our) (?:project|repo|repository|app|service|code base|codebase|server|database|build|tests?) (?:is|are|use|uses|runs?|lives?|needs?) \S/i,
]

const withoutLeadIns = (sentence: string): string => {
  const shorter = sentence.replace(LEAD_IN, '')
  return shorter === sentence ? sentence : withoutLeadIns(shorter)
}

const toFact = (quote: string): Fact | undefined => {
  if (quote.endsWith('?')) return undefined
  const plain = withoutLeadIns(quote.replace(/[.!]+$/, ''))
  const statement = withoutLeadIns(plain.replace(HEDGE, ''))
  const target = ABOUT_USER.some((pattern) => pattern.test(statement))
    ? 'user'
    : ABOUT_WORK.some((pattern) => pattern.test(statement))
      ? 'memory'
      : undefined
  return target === undefined ? undefined : { target, content: toThirdPerson(statement), quote, sure: statement === plain }
}

const sentences = (text: string): readonly string[] =>
  text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')

/** At most one fact from each sentence. */
export const extractFacts = (text: string): readonly Fact[] => sentences(text).flatMap((sentence) => toFact(sentence) ?? [])

const ORDER = /^(?:please )?remember(?: this rule| that)?[:,]? (\S.*)$/i

const toOrder = (quote: string): Fact | undefined => {
  const content = ORDER.exec(quote.replace(/[.!]+$/, ''))?.[1]
  return content === undefined ? undefined : { target: 'memory', content: capitalise(content), quote, sure: true }
}

/** What a gullible reader takes from a text that is not the person's: the orders it gives, and its facts. */
export const believe = (text: string): readonly Fact[] => sentences(text).flatMap((sentence) => toOrder(sentence) ?? toFact(sentence) ?? [])
