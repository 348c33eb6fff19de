/** Merged texts that say what the two skills say. */
import { type DrawnSkill, type Pair, pick, skillText } from './pairs.ts'

/** A merged text in parts, so that one of them can be altered. */
export interface MergedParts {
  readonly name: string
  readonly description: string
  /** Lines of the front matter. */
  readonly fields: string
  readonly title: string
  readonly sections: readonly MergedSection[]
  /** At the end of the text. */
  readonly end: string
}

export interface MergedSection {
  readonly heading: string
  readonly intro: string
  readonly steps: readonly string[]
  readonly sentences: readonly string[]
  readonly code: readonly string[]
  readonly layout: 'bullets' | 'prose' | 'joined'
}

const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')

/** Two sentences at a time as one, unless the first forbids something. */
const join = (sentences: readonly string[]): string => {
  const joined: string[] = []
  for (const sentence of sentences) {
    const last = joined.at(-1)
    const mayJoin =
      last !== undefined && !/never|not|n't|without|at most|instead/i.test(`${last}${sentence}`) && !last.includes(' and then ')
    if (mayJoin) joined[joined.length - 1] = `${last.replace(/\.$/, '')}, and then ${sentence[0]?.toLowerCase()}${sentence.slice(1)}`
    else joined.push(sentence)
  }
  return joined.join(' ')
}

const LAYOUT = { bullets: list, prose: (sentences: readonly string[]) => sentences.join(' '), joined: join } as const

const sectionText = ({ heading, intro, steps, sentences, code, layout }: MergedSection): string =>
  [
    `## ${heading}`,
    intro,
    steps.map((step, index) => `${index + 1}. ${step}`).join('\n'),
    LAYOUT[layout](sentences),
    code.length === 0 ? '' : `\`\`\`sh\n${code.join('\n')}\n\`\`\``,
  ]
    .filter((part) => part !== '')
    .join('\n\n')

export const mergedText = ({ name, description, fields, title, sections, end }: MergedParts): string =>
  skillText(name, description, [`# ${title}`, ...sections.map(sectionText), end].filter((part) => part !== '').join('\n\n'), fields)

const HEADINGS = [({ description }: DrawnSkill) => description, ({ name }: DrawnSkill) => name, ({ name }: DrawnSkill) => `From ${name}`]

const toSection = (skill: DrawnSkill, layout: MergedSection['layout'], next: () => number): MergedSection => ({
  heading: pick(HEADINGS, next)(skill),
  intro: '',
  steps: skill.steps,
  sentences: skill.sentences,
  code: skill.code,
  layout,
})

/** Whole, one after the other. */
export const concatenated = ({ topic, skills }: Pair, next: () => number): MergedParts => ({
  name: topic.name,
  description: `${skills[0].description}; ${skills[1].description[0]?.toLowerCase()}${skills[1].description.slice(1)}`,
  fields: '',
  title: topic.name,
  sections: skills.map((skill) => toSection(skill, pick(['bullets', 'prose'] as const, next), next)),
  end: '',
})

/** What both say is said once. */
const deduplicated = (pair: Pair, next: () => number): MergedParts => {
  const merged = concatenated(pair, next)
  const sections = merged.sections.map((section) => ({
    ...section,
    sentences: section.sentences.filter((sentence) => sentence !== pair.topic.shared),
  }))
  const both = { heading: 'Both', intro: pair.topic.shared, steps: [], sentences: [], code: [], layout: 'prose' } as const
  return { ...merged, title: 'Overview', sections: [...sections, both] }
}

/** Headings by kind, and sentences joined or divided. */
const regrouped = (pair: Pair, next: () => number): MergedParts => {
  const merged = concatenated(pair, next)
  const sections = merged.sections.flatMap((section): MergedSection[] => [
    { ...section, heading: `${section.heading}: steps`, sentences: [], code: [] },
    { ...section, heading: `${section.heading}: rules`, steps: [], layout: 'joined' },
  ])
  return { ...merged, sections }
}

const SLIGHT: readonly (readonly [RegExp, string])[] = [
  [/\bNever\b/g, 'Do not'],
  [/\bDo not\b/g, "Don't"],
  [/\bDon't\b/g, 'Do not'],
  [/\bdoes not\b/g, "doesn't"],
  [/\beach\b/g, 'every'],
  [/\bThe\b/g, 'A'],
  [/\bthe\b/g, 'a'],
  [/^(?=[A-Z][a-z]+ )(?!Do|Never|An|At|If)/g, 'Please '],
  [/\.$/g, '!'],
  [/^(?=[A-Z])(?!Do|Never|An|At|If)/g, 'You should '],
  [/\bpull requests\b/g, 'pull request'],
]

/** One or two small changes: an article, a contraction, an ending, politeness. */
const rewordSlightly = (sentence: string, next: () => number): string => {
  const [pattern, by] = pick(SLIGHT, next)
  const changed = sentence.replace(pattern, by)
  return changed.replace(/^(Please|You should) (\w)/, (_, polite: string, first: string) => `${polite} ${first.toLowerCase()}`)
}

const slightlyReworded = (pair: Pair, next: () => number): MergedParts => {
  const merged = concatenated(pair, next)
  const reword = (sentence: string): string => rewordSlightly(sentence, next)
  const sections = merged.sections.map((section) => ({
    ...section,
    sentences: section.sentences.map(reword),
    steps: section.steps.map(reword),
  }))
  return { ...merged, description: pair.topic.description, sections }
}

export const FAITHFUL = { concatenated, deduplicated, regrouped, 'slightly reworded': slightlyReworded } as const

const FREELY: readonly (readonly [RegExp, string])[] = [
  [/^Put\b/, 'Add'],
  [/^Ask\b/, 'Contact'],
  [/^Tell\b/, 'Inform'],
  [/^Use\b/, 'Choose'],
  [/^Look (?:at|for|up)\b/, 'Check'],
  [/^Take\b/, 'Make'],
  [/^Write\b/, 'Compose'],
  [/^Wait\b/, 'Pause for'],
  [/^Keep\b/, 'Retain'],
  [/^Leave\b/, 'Add'],
]

/** With other verbs: the same to a person, but no longer the same words. */
export const freelyReworded = (pair: Pair, next: () => number): MergedParts => {
  const merged = concatenated(pair, next)
  const reword = (sentence: string): string => FREELY.reduce((text, [pattern, by]) => text.replace(pattern, by), sentence)
  return { ...merged, sections: merged.sections.map((section) => ({ ...section, sentences: section.sentences.map(reword) })) }
}
