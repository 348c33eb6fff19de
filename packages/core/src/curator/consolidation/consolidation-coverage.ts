/**
 * Does the text of an umbrella still hold what a skill said? Measured on what cannot be said in other words: code blocks, commands, addresses, paths and
 * numbers, each of them; and of the words it is made of nearly all. Says nothing of style. Pure.
 */

import { splitSkillText } from '../../skills/front-matter/front-matter-split.ts'
import { parseSkillDocument } from '../../skills/skill-document.ts'
import { contentWords } from '../../text/content-words.ts'
import { normaliseText } from '../../text/normalise-text.ts'
import { holdsToken, specificTokens } from '../../text/specific-tokens.ts'
import { fencedBlocks } from './fenced-blocks.ts'

/** The part of a skill's words that an umbrella holds which lacks nothing. */
const KEPT_WORDS = 0.9

/** Below this a text is no umbrella of the skill at all. */
const LEAST_WORDS = 0.4

const MAX_NAMED = 8
const MAX_NAMED_CHARS = 60

const linesOf = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')

/** What an umbrella holds, prepared once for all the skills that go into it. */
export interface UmbrellaText {
  readonly words: ReadonlySet<string>
  readonly normalised: string
  /** Trimmed, without blank ones. */
  readonly lines: string
}

/** Of its SKILL.md and of every support file that is text. */
export const toUmbrellaText = (texts: readonly string[]): UmbrellaText => {
  const whole = texts.join('\n\n')
  return { words: contentWords(whole), normalised: normaliseText(whole), lines: linesOf(whole) }
}

/** The body and the description; the rest of the front matter is for programs. */
const toSaid = (skillText: string): string => {
  const { body } = splitSkillText(skillText)
  return `${parseSkillDocument(skillText, { folderName: 'skill' }).description}\n${body}`
}

const shown = (items: readonly string[]): string => {
  const named = items.slice(0, MAX_NAMED).map((item) => (item.length > MAX_NAMED_CHARS ? `${item.slice(0, MAX_NAMED_CHARS)}…` : item))
  return `${named.join(', ')}${items.length > named.length ? ` and ${items.length - named.length} more` : ''}`
}

export interface Coverage {
  /** What the umbrella lacks, in words; empty where it lacks nothing that is measured. */
  readonly missing: readonly string[]
  /** It has hardly anything of the skill. */
  readonly isElsewhere: boolean
}

/** Of one SKILL.md. */
export const coverageOf = (skillText: string, umbrella: UmbrellaText): Coverage => {
  const said = toSaid(skillText)
  const missing: string[] = []
  const blocks = fencedBlocks(said).filter(({ body }) => {
    const lines = linesOf(body)
    return lines !== '' && !umbrella.lines.includes(lines)
  })
  if (blocks.length > 0) missing.push(blocks.length === 1 ? 'a code block' : `${blocks.length} code blocks`)
  const { strong, numbers } = specificTokens(said)
  const tokens = [...strong, ...numbers].filter((token) => !holdsToken(umbrella.normalised, token))
  if (tokens.length > 0) missing.push(shown(tokens))
  const words = [...contentWords(said)]
  const lost = words.filter((word) => !umbrella.words.has(word)).length
  if (lost > (1 - KEPT_WORDS) * words.length) missing.push(`${lost} of ${words.length} words`)
  return { missing, isElsewhere: words.length - lost < LEAST_WORDS * words.length }
}
