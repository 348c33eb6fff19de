/** A pair of skills drawn from a topic, and their texts. Deterministic: the same seed gives the same pair. */
import { readLines } from '../../read-lines.ts'

/** A rule that forbids something, and the same without its negation. */
interface Ban {
  readonly says: string
  readonly dropped: string
}

interface TopicSkill {
  readonly name: string
  readonly description: string
  readonly rules: readonly string[]
  readonly bans: readonly Ban[]
  /** `{n}` is a number. */
  readonly limits: readonly string[]
  readonly steps: readonly string[]
  readonly code: readonly string[]
}

interface Topic {
  /** Of the skill that they are merged into. */
  readonly name: string
  readonly description: string
  /** What both skills say. */
  readonly shared: string
  readonly skills: readonly [TopicSkill, TopicSkill]
}

/** Skills that belong together, as parts from which a pair is drawn. */
const TOPICS = readLines<Topic>(new URL('topics.jsonl', import.meta.url))

/** A seeded generator of numbers from 0 up to 1. */
export const random = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const pick = <T>(items: readonly T[], next: () => number): T => {
  const item = items[Math.floor(next() * items.length)]
  if (item === undefined) throw new TypeError('There is nothing to pick from.')
  return item
}

export interface DrawnSkill {
  readonly name: string
  readonly description: string
  /** Rules, bans and limits, in the order of the text. */
  readonly sentences: readonly string[]
  readonly bans: readonly Ban[]
  readonly limits: readonly string[]
  readonly steps: readonly string[]
  readonly code: readonly string[]
  readonly text: string
}

export interface Pair {
  readonly topic: Topic
  readonly skills: readonly [DrawnSkill, DrawnSkill]
}

const NUMBERS = [2, 3, 5, 7, 12, 14, 20, 30, 48, 60, 90] as const

export const skillText = (name: string, description: string, body: string, fields = ''): string =>
  `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n${fields}---\n\n${body}\n`

const LAYOUTS = ['bullets', 'prose'] as const

const bodyOf = (title: string, sentences: readonly string[], { steps, code }: Pick<TopicSkill, 'steps' | 'code'>, next: () => number) => {
  const rules = pick(LAYOUTS, next) === 'bullets' ? sentences.map((each) => `- ${each}`).join('\n') : sentences.join(' ')
  const parts = [
    `## Steps\n\n${steps.map((step, index) => `${index + 1}. ${step}`).join('\n')}`,
    `## Rules\n\n${rules}`,
    `\`\`\`sh\n${code.join('\n')}\n\`\`\``,
  ]
  return `# ${title}\n\n${parts.join('\n\n')}`
}

const draw = (skill: TopicSkill, shared: string, next: () => number): DrawnSkill => {
  const limits = skill.limits.map((limit) => limit.replace('{n}', String(pick(NUMBERS, next))))
  const sentences = [...skill.rules, ...skill.bans.map(({ says }) => says), ...limits, shared]
  const ordered = sentences.map((sentence) => ({ sentence, at: next() })).sort((a, b) => a.at - b.at)
  const told = ordered.map(({ sentence }) => sentence)
  const { name, description, bans, steps, code } = skill
  const text = skillText(name, description, bodyOf(description, told, skill, next))
  return { name, description, sentences: told, bans, limits, steps, code, text }
}

/** `number` also chooses the topic, so that consecutive pairs are about different things. */
export const pairOf = (number: number, next: () => number): Pair => {
  const topic = TOPICS[number % TOPICS.length]
  if (!topic) throw new TypeError('There is no topic.')
  const [first, second] = topic.skills
  return { topic, skills: [draw(first, topic.shared, next), draw(second, topic.shared, next)] }
}
