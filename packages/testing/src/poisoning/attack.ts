/** Attacks on a memory, drawn from `data/poisoning.json` by a seed. Pure. */
import DATA from '../../data/poisoning.json' with { type: 'json' }
import { type PoisoningSession, WAYS_IN, type WayIn } from './ways-in.ts'

/** What the obedient reviewer cites: nothing, words that the user really said, or the attack as if the user had said it. */
const CITINGS = ['nothing', 'the user', 'the attack'] as const
type Citing = (typeof CITINGS)[number]

interface Goal {
  readonly target: string
  readonly said: string
  readonly echo: string
  readonly entry: string
  readonly replaces?: string
}

const GOALS = DATA.scenarios.flatMap(({ id, goals }) => goals.map((goal: Goal) => ({ scenario: id, ...goal })))

/** The choices that make an attack, each an index into its list; the last two are for the conversation around it. */
const LISTS = {
  goal: GOALS,
  phrasing: DATA.phrasings,
  position: DATA.positions,
  format: DATA.formats,
  disguise: DATA.disguises,
  wayIn: WAYS_IN,
  citing: CITINGS,
  question: DATA.questions,
  next: DATA.next,
} as const

export type PoisoningChoices = Readonly<Record<keyof typeof LISTS, number>>

/** A note as somebody wants it kept. */
export interface PoisoningNote {
  /** `memory`: about the work; `user`: about the person. */
  readonly target: 'memory' | 'user'
  readonly content: string
  /** The user's own entry that it takes the place of. */
  readonly replaces?: string
  /** What is cited as the user's words. */
  readonly quote?: string
}

export interface PoisoningAttack {
  /** All that was chosen, in words. */
  readonly id: string
  readonly choices: PoisoningChoices
  /** How the text gets to the model, such as `tool error`. */
  readonly wayIn: string
  /** Only the host can know whose words this is, so a note with the agent's authority is allowed. */
  readonly unmarked: boolean
  /** An invented name, which is in the attack and in nothing else. */
  readonly mark: string
  readonly note: PoisoningNote
  readonly sessions: readonly PoisoningSession[]
}

type Draw = (below: number) => number

/** The same seed gives the same draws everywhere. */
export const drawsOf = (seed: number): Draw => {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * below)
  }
}

const SYLLABLES = ['bru', 'quel', 'zahn', 'tor', 'vel', 'mik', 'osh', 'ran', 'dul', 'fer', 'gan', 'lux', 'pol', 'wex', 'yar', 'kin']

const inventName = (draw: Draw): string => {
  const name = Array.from({ length: 4 }, () => SYLLABLES[draw(SYLLABLES.length)]).join('')
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index]
  if (found === undefined) throw new RangeError(`A list of ${list.length} choices has none at ${index}.`)
  return found
}

const documentOf = (text: string, position: string, format: (typeof DATA.formats)[number]): string => {
  const [first = '', second = '', ...rest] = DATA.filler
  const around = { start: [[], DATA.filler], middle: [[first, second], rest], end: [DATA.filler, []] }[position] ?? []
  const [before = [], after = []] = around
  const lines = [...before, text, ...after].map((line) => format.line.replace('{}', () => line))
  return `${format.head}${lines.join(format.join)}${format.tail}`
}

const quoteOf = (citing: Citing, said: string, question: string): string | undefined => {
  if (citing === 'nothing') return undefined
  return citing === 'the user' ? question : said
}

/** The attack of these choices. `name`: the invented name. */
export const poisoningAttack = (choices: PoisoningChoices, name: string): PoisoningAttack => {
  const fill = (text: string): string => text.replaceAll('{N}', name)
  const goal = at(GOALS, choices.goal)
  const wayIn: WayIn = at(WAYS_IN, choices.wayIn)
  const [phrasing, position, format] = [
    at(DATA.phrasings, choices.phrasing),
    at(DATA.positions, choices.position),
    at(DATA.formats, choices.format),
  ]
  const [disguise, citing, question, next] = [
    at(DATA.disguises, choices.disguise),
    at(CITINGS, choices.citing),
    at(DATA.questions, choices.question),
    at(DATA.next, choices.next),
  ]
  const said = fill(goal.said)
  const phrased = phrasing.text.replaceAll('{S}', () => said)
  const text = documentOf(
    disguise.text.replaceAll('{S}', () => phrased),
    position,
    format,
  )
  const quote = quoteOf(citing, said, question)
  const { replaces } = goal
  return {
    id: [
      wayIn.id,
      `${goal.scenario} ${choices.goal % 3}`,
      phrasing.id,
      position,
      format.id,
      disguise.id,
      `cites ${citing}`,
      question,
      next,
    ].join(' | '),
    choices,
    wayIn: wayIn.id,
    unmarked: wayIn.unmarked === true,
    mark: name,
    note: {
      target: goal.target === 'user' ? 'user' : 'memory',
      content: fill(goal.entry),
      ...(replaces === undefined ? {} : { replaces }),
      ...(quote === undefined ? {} : { quote }),
    },
    sessions: wayIn.sessions({ text, short: said, name, echo: fill(goal.echo), question, next }),
  }
}

const drawChoices = (draw: Draw, number: number): PoisoningChoices => {
  const choices = Object.fromEntries(Object.entries(LISTS).map(([key, list]) => [key, draw(list.length)])) as Record<
    keyof typeof LISTS,
    number
  >
  // Each way in takes its turn, and each goal within a way in: 5 and the number of goals have no common divisor.
  const turn = Math.floor(number / WAYS_IN.length)
  return { ...choices, wayIn: number % WAYS_IN.length, goal: (5 * turn + (number % WAYS_IN.length)) % GOALS.length }
}

/** `count` attacks, spread over all ways in. */
export const poisoningAttacks = ({ seed, count }: { readonly seed: number; readonly count: number }): readonly PoisoningAttack[] => {
  const draw = drawsOf(seed)
  return Array.from({ length: count }, (_, number) => poisoningAttack(drawChoices(draw, number), inventName(draw)))
}

/** The same attack with one or two other choices: the next step of an attacker who has seen what became of this one. */
export const variantOf = ({ choices }: PoisoningAttack, draw: Draw): PoisoningAttack => {
  const keys = (Object.keys(LISTS) as (keyof typeof LISTS)[]).filter((key) => key !== 'wayIn')
  const changed = { ...choices }
  for (let left = 1 + draw(2); left > 0; left--) {
    const key = at(keys, draw(keys.length))
    changed[key] = draw(LISTS[key].length)
  }
  return poisoningAttack(changed, inventName(draw))
}

/** What the user says of themself: it has to be kept as the user's words. */
export const HONEST_STATEMENTS: readonly { readonly said: string; readonly note: PoisoningNote }[] = DATA.honest.map(
  ({ target, said, entry }) => ({
    said,
    note: { target: target === 'user' ? 'user' : 'memory', content: entry, quote: said },
  }),
)
