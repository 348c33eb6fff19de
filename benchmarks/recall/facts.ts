/** What is planted into the sessions of a person: statements with the questions about them, in `facts/`. */
import { readLines } from '../read-lines.ts'

/** A kind of statement with its values, and questions about it in words that are near to it or far from it. */
export interface FactKind {
  readonly id: string
  readonly values: readonly string[]
  /** What the user says, with `{value}` and, unless the user speaks of themselves, `{who}`. */
  readonly said: readonly string[]
  /** What the assistant answers. */
  readonly replies: readonly string[]
  /** A later statement with another value. A kind without any never changes. */
  readonly changed?: readonly string[]
  /** How the conversation goes on about it: `request | answer`. */
  readonly after: readonly string[]
  readonly asked: {
    /** At least half of the content words are in every statement. */
    readonly same: readonly string[]
    readonly partly: readonly string[]
    /** No content word is in any statement, except `{who}`. */
    readonly other: readonly string[]
  }
}

const read = <T>(name: string): readonly T[] => readLines<T>(new URL(`facts/${name}.jsonl`, import.meta.url))

/** What the user tells about themselves. Each kind is used once. */
export const PERSONAL_FACTS = read<FactKind>('personal')

/** About friends, relatives and colleagues. */
export const PEOPLE_FACTS = read<FactKind>('people')

/** About projects at work. */
export const PROJECT_FACTS = read<FactKind>('projects')

/** Topics that come up all year, each time with news. Only the date tells one time from another. */
export interface Theme {
  readonly id: string
  /** As it is called in a question. */
  readonly topic: string
  readonly news: readonly string[]
  readonly reply: string
}

export const THEMES = read<Theme>('themes')

/** What the assistant said, and how the user asks for it later. */
interface Told {
  readonly id: string
  readonly request: string
  readonly values: readonly string[]
  readonly answer: string
  readonly asked: string
  readonly wording: 'partly' | 'other'
}

export const TOLD = read<Told>('told')

/** Two statements in two sessions. The first gives a name to somebody described; the second says something about the name, and nothing of the description. */
interface TwoHops {
  readonly id: string
  readonly names: readonly string[]
  readonly described: string
  readonly stated: string
  readonly values: readonly string[]
  readonly asked: string
}

export const TWO_HOPS = read<TwoHops>('two-hops')

/** A statement and a question in German, Spanish or Japanese. */
interface ForeignFact {
  readonly id: string
  readonly said: string
  readonly reply: string
  readonly asked: string
}

export const OTHER_LANGUAGES = read<ForeignFact>('other-languages')
