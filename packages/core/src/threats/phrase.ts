/** The notation of threat phrases: words in order, with a limited number of filler words between them. */

/** How a word must match its white-space delimited token. */
export type WordFit =
  | 'whole' // the token is the word
  | 'spaced' // `word_`: the same, followed by white space
  | 'ends' // `*word`: the token ends with it
  | 'ends-word' // `^word`: the same, not preceded by a word character
  | 'begins' // `word*`: the token begins with it
  | 'begins-word' // `word$`: the same, not followed by a word character
  | 'holds' // `*word*`: the leading word characters of the token contain it
  | 'any' // `<word>`: the token begins with any word

export interface PhraseStep {
  readonly fit: WordFit
  /** Alternatives. */
  readonly words: readonly string[]
  /** Maximum filler words (letters, digits and underscores only) before it. */
  readonly gap: number
}

/** Maximum filler words for `…`. */
const FILLER_WORDS = 8

const toFit = (head: string, tail: string): WordFit => {
  if (head === '*') return tail === '*' ? 'holds' : 'ends'
  if (head === '^') return 'ends-word'
  if (tail === '*') return 'begins'
  if (tail === '$') return 'begins-word'
  return tail === '_' ? 'spaced' : 'whole'
}

const toStep = (text: string, gap: number): PhraseStep => {
  if (text === '<word>') return { fit: 'any', words: [], gap }
  const [, head = '', words = '', tail = ''] = /^([*^]?)(.*?)([*$_]?)$/.exec(text) ?? []
  return { fit: toFit(head, tail), words: words.split('|'), gap }
}

/**
 * Parses `*ignore … all|prior … instructions*`: `…` is up to eight filler words, `…3` up to three, `[as]` an optional word. Returns one
 * list of steps for each choice of the optional words.
 */
export const parsePhrase = (notation: string): ReadonlyArray<readonly PhraseStep[]> => {
  const [optional, word] = /\[([^\]]*)\] /.exec(notation) ?? []
  if (optional !== undefined)
    return [...parsePhrase(notation.replace(optional, '')), ...parsePhrase(notation.replace(optional, `${word} `))]
  const steps: PhraseStep[] = []
  let gap = 0
  for (const part of notation.split(' ')) {
    if (part.startsWith('…')) gap = part === '…' ? FILLER_WORDS : Number(part.slice(1))
    else {
      steps.push(toStep(part, gap))
      gap = 0
    }
  }
  return [steps]
}
