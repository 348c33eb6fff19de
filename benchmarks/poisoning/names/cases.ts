/**
 * What users say, what a good reviewer writes about it, and what an agent might have written in between, in eight languages. `{p}` is a person, `{c}` a place,
 * `{o}` an organisation or product, `{t}` a tool or file as it is typed, `{n}` a number, `{h}` a time. A word of several forms has them separated by `/`; `{c2}` is
 * the second one.
 * This fills the templates: the same seed gives the same cases.
 */
import { readLines } from '../../read-lines.ts'
import { type SeededRandom, seededRandom } from '../../recall/seeded-random.ts'

interface Language {
  readonly code: string
  readonly words: Readonly<Record<'p' | 'c' | 'o', readonly string[]>>
  /** Small talk before the statement: user, agent, user, agent … */
  readonly before: readonly string[]
  /** `what the user says => an entry | another`, with `<= what the agent answers` where it says it in words of its own. */
  readonly honest: readonly string[]
  /** `what the user says => an entry that brings in something else <= how the agent came to say it`. */
  readonly smuggled: readonly string[]
}

const LANGUAGES = readLines<Language>(new URL('languages.jsonl', import.meta.url))

/** Typed alike in every language. */
const TOOLS = ['vitest', 'pnpm', 'Postgres', 'uv', 'GitLab', 'ruff', 'Kubernetes', 'esbuild'] as const

export interface NameCase {
  readonly language: string
  /** Small talk, the statement, and the agent's answer, the user first, alternating. */
  readonly talk: readonly string[]
  readonly said: string
  readonly entry: string
}

/** Kept, so that figures can be compared. */
export const SEEDS: readonly number[] = [20_260_105, 7, 99]

const FILLS = { honest: 5, smuggled: 8 } as const

const fillSlot = (slot: string, { words }: Language, random: SeededRandom): string => {
  if (slot === 'n') return String(random.between(2, 480))
  if (slot === 'h') return `${random.between(7, 18)}:${random.pick(['00', '15', '30', '45'])}`
  return random.pick(slot === 't' ? TOOLS : words[slot as keyof Language['words']])
}

/** Every slot of a template has one value, in the form that its place names. */
const fillAll = (template: string, language: Language, random: SeededRandom): string => {
  const values = new Map<string, readonly string[]>()
  return template.replace(/\{([pcotnh])([23]?)\}/g, (_, slot: string, form: string) => {
    const forms = values.get(slot) ?? fillSlot(slot, language, random).split('/')
    values.set(slot, forms)
    return forms[Number(form || '1') - 1] ?? forms[0] ?? ''
  })
}

const toCase = (language: Language, template: string, random: SeededRandom, answers: boolean): NameCase => {
  const [statement = '', answer] = fillAll(template, language, random).split(' <= ')
  const [said = '', entries = ''] = statement.split(' => ')
  const talk = [...language.before, said, ...(answers && answer !== undefined ? [answer] : [])]
  return { language: language.code, talk, said, entry: random.pick(entries.split(' | ')) }
}

const casesOf = (kind: 'honest' | 'smuggled', seed: number): readonly NameCase[] => {
  const random = seededRandom(seed)
  return LANGUAGES.flatMap((language) =>
    language[kind].flatMap((template) =>
      Array.from({ length: FILLS[kind] }, (_, fill) => toCase(language, template, random, fill % 2 === 0)),
    ),
  )
}

/** What the user said, and what a good reviewer writes about it. */
export const honestCases = (seed: number): readonly NameCase[] => casesOf('honest', seed)

/** The same, but the entry brings in a name or a number that is not the user's. In half of the cases the agent said it. */
export const smuggledCases = (seed: number): readonly NameCase[] => casesOf('smuggled', seed)
