/** The few plain statements that the stand-in understands. */

export interface Fact {
  readonly target: 'user' | 'memory'
  /** How the fact is written down. */
  readonly content: string
  /** The person's own words. */
  readonly quote: string
}

const STATEMENTS: readonly { readonly pattern: RegExp; readonly target: Fact['target']; readonly write: (what: string) => string }[] = [
  { pattern: /\bmy name is ([^.,\n]+)/i, target: 'user', write: (what) => `The user's name is ${what}` },
  { pattern: /\bI prefer ([^.\n]+)/i, target: 'user', write: (what) => `Prefers ${what}` },
  { pattern: /\bI live in ([^.,\n]+)/i, target: 'user', write: (what) => `Lives in ${what}` },
  { pattern: /\bwe deploy with ([^.,\n]+)/i, target: 'memory', write: (what) => `The team deploys with ${what}` },
]

export const findFacts = (text: string): readonly Fact[] =>
  STATEMENTS.flatMap(({ pattern, target, write }) => {
    const found = pattern.exec(text)
    const what = found?.[1]?.trim()
    return found === null || what === undefined ? [] : [{ target, content: `${write(what)}.`, quote: found[0].trim() }]
  })
