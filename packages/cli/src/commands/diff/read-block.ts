/** Reads the frozen text of a session back into entries and skills. Pure. */
import { ENTRY_DELIMITER } from '@hermes/core/memory'

export const PARTS = ['memory', 'user', 'skill', 'other'] as const

export type Part = (typeof PARTS)[number]

export interface Item {
  readonly part: Part
  /** What makes it the same thing in two texts: the text of an entry, the name of a skill, a line. */
  readonly key: string
  readonly text: string
  /** From a tool result or a document, not from the user. */
  readonly outside: boolean
}

const HEADING = /(?:^|\n)═{20,}\n([^\n]+)\n═{20,}(?:\n|$)/
const OUTSIDE = /(?:^|\n+)\[FROM OUTSIDE SOURCES: [^\n]*\]\n/

const PART_OF: readonly (readonly [start: string, part: Part])[] = [
  ['MEMORY (', 'memory'],
  ['USER PROFILE (', 'user'],
  ['SKILLS (', 'skill'],
]

const entriesOf = (text: string): readonly string[] =>
  text
    .split(ENTRY_DELIMITER)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

/** Without the marks that begin each line of an entry from outside. */
const unquote = (entry: string): string => entry.replace(/^> /gm, '')

const readEntries = (part: Part, body: string): readonly Item[] => {
  const [own = '', outside = ''] = body.split(OUTSIDE)
  const toItem = (text: string, isOutside: boolean): Item => ({ part, key: text, text, outside: isOutside })
  return [
    ...entriesOf(own).map((text) => toItem(text, false)),
    ...entriesOf(outside.replaceAll('\n> §\n', ENTRY_DELIMITER)).map((text) => toItem(unquote(text), true)),
  ]
}

/** `- name: description`, `- name (stale)`; the other lines are headings. */
const readSkill = (line: string): readonly Item[] => {
  const [, name, description = ''] = /^- (.+?)(?: \(stale\))?(?:: (.*))?$/.exec(line) ?? []
  return name === undefined ? [] : [{ part: 'skill', key: name, text: description, outside: false }]
}

const readLines = (text: string): readonly Item[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => ({ part: 'other', key: line, text: line, outside: false }) as const)

const readBody = (part: Part, body: string): readonly Item[] => {
  if (part === 'skill') return body.split('\n').flatMap(readSkill)
  return part === 'other' ? readLines(body) : readEntries(part, body)
}

/** A text of a memory provider follows the last part after a blank line; it is not told apart from it. */
export const readBlock = (block: string): readonly Item[] => {
  const pieces = block.split(new RegExp(HEADING, 'g'))
  const [before = '', ...parts] = pieces
  const items: Item[] = [...readLines(before)]
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const title = parts[at] ?? ''
    const part = PART_OF.find(([start]) => title.startsWith(start))?.[1] ?? 'other'
    items.push(...readBody(part, parts[at + 1] ?? ''))
  }
  return items
}
