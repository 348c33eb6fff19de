/** Marks text as data inside a prompt, so that nothing in it can pass for the prompt around it. */

const FENCES = ['conversation', 'said-before', 'remembered', 'waiting', 'done', 'skill-library', 'skill-file'] as const

export type DataFence = (typeof FENCES)[number]

const fenceLookAlike = new RegExp(`<(\\s{0,8}/?\\s{0,8}(?:${FENCES.join('|')}))`, 'gi')
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g

/** Fence look-alikes lose their bracket, and every further line is indented, so that no line of it can begin like a message of its own. */
export const neutralise = (text: string): string => text.replace(fenceLookAlike, '‹$1').replace(lineBreak, '\n  ')

/** True for text that could pass for the end of a fence, so that it cannot be shown as it is. */
export const looksLikeFence = (text: string): boolean => text.search(fenceLookAlike) >= 0

export const fenced = (name: DataFence, text: string): string => `<${name}>\n${text}\n</${name}>`
