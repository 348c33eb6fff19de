/** Fences text as data inside a prompt, so that it cannot imitate the surrounding prompt. */

const FENCES = ['conversation', 'said-before', 'remembered', 'waiting', 'done', 'skill-library', 'skill-file'] as const

export type DataFence = (typeof FENCES)[number]

const fenceLookAlike = new RegExp(`<(\\s{0,8}/?\\s{0,8}(?:${FENCES.join('|')}))`, 'gi')
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g

/** Replaces the bracket of fence look-alikes and indents every further line, so that no line can look like a message of its own. */
export const neutralise = (text: string): string => text.replace(fenceLookAlike, '‹$1').replace(lineBreak, '\n  ')

/** True if the text contains a fence look-alike and so cannot be shown unchanged. */
export const looksLikeFence = (text: string): boolean => text.search(fenceLookAlike) >= 0

export const fenced = (name: DataFence, text: string): string => `<${name}>\n${text}\n</${name}>`
