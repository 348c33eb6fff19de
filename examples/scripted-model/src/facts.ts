/** Plain facts in what a person said, found by a few fixed patterns, as entries about them: `I live in Oslo` → `User lives in Oslo`. */

const UNCHANGED = new Set(
  "can can't cannot could couldn't will won't would must mustn't should shouldn't may might never always was wasn't had did didn't went".split(
    ' ',
  ),
)
const IRREGULAR: Readonly<Record<string, string>> = {
  am: 'is',
  have: 'has',
  do: 'does',
  "don't": "doesn't",
  go: 'goes',
  "haven't": "hasn't",
}

const conjugate = (verb: string): string => {
  const lower = verb.toLowerCase()
  if (UNCHANGED.has(lower) || /[^e]ed$/.test(lower)) return lower
  const irregular = IRREGULAR[lower]
  if (irregular !== undefined) return irregular
  if (/(?:s|x|z|ch|sh)$/.test(lower)) return `${lower}es`
  if (/[^aeiou]y$/.test(lower)) return `${lower.slice(0, -1)}ies`
  return `${lower}s`
}

export const capitalise = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const aboutThem = (text: string): string =>
  text
    .replace(/\bmyself\b/gi, 'themselves')
    .replace(/\bmy\b/gi, 'their')
    .replace(/\bmine\b/gi, 'theirs')
    .replace(/\bme\b/gi, 'them')
    .replace(/\bI'm\b|\bI am\b/gi, 'they are')
    .replace(/\bI\b/g, 'they')

/** Does the sentence speak of the person who says it? */
export const isAboutSpeaker = (text: string): boolean => /\b(?:I|I'm|I've|I'd|I'll|me|my|mine|myself)\b/i.test(text.replaceAll('’', "'"))

export const toThirdPerson = (sentence: string): string => {
  const text = sentence.replaceAll('’', "'").trim()
  const being = /^(?:I'm|I am) (.+)$/is.exec(text)
  if (being?.[1] !== undefined) return `User is ${aboutThem(being[1])}`
  const having = /^I've (.+)$/is.exec(text)
  if (having?.[1] !== undefined) return `User has ${aboutThem(having[1])}`
  const doing = /^I (?:(always|never|usually|often|mostly|also|really|only) )?([a-z']+)(.*)$/is.exec(text)
  if (doing?.[2] !== undefined) {
    const adverb = doing[1] === undefined ? '' : `${doing[1].toLowerCase()} `
    return `User ${adverb}${conjugate(doing[2])}${aboutThem(doing[3] ?? '')}`
  }
  const owning = /^my (.+)$/is.exec(text)
  if (owning?.[1] !== undefined) return `User's ${aboutThem(owning[1])}`
  const acting = /^we ([a-z]+)(.*)$/is.exec(text)
  if (acting?.[1] !== undefined) return `The team ${conjugate(acting[1])}${acting[2] ?? ''}`
  return capitalise(isAboutSpeaker(text) ? aboutThem(text) : text)
}

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
  /^(?:I'm|I’m|I am) (?:a|an|from|based in|called|allergic to|learning|planning) \S/i,
]
const ABOUT_WORK = [
  /^we (?:deploy|build|test|ship|release|host|run|use|write|store|lint|format) \S/i,
  /^(?:the|this|our) (?:project|repo|repository|app|service|code base|codebase|server|database|build|tests?|travel desk) (?:is|are|use|uses|runs?|lives?|needs?) \S/i,
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

const ORDER = /^(?:please )?(?:remember(?: this rule| that)?[:,]? (?=\S)|(?=always |never ))(.*)$/i

const toOrder = (quote: string): Fact | undefined => {
  const content = ORDER.exec(quote.replace(/[.!]+$/, ''))?.[1]
  return content === undefined ? undefined : { target: 'memory', content: capitalise(content), quote, sure: true }
}

/** What a gullible reader takes from a text that is not the person's: the orders it gives, and its facts. */
export const believe = (text: string): readonly Fact[] => sentences(text).flatMap((sentence) => toOrder(sentence) ?? toFact(sentence) ?? [])
