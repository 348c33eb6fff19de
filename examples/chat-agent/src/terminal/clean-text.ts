/** Takes control characters out of text from outside, so that a model or a memory entry cannot steer the terminal. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Line breaks and tabs stay; a tab becomes two spaces. */
export const cleanText = (text: string): string => text.replace(CONTROL, '').replaceAll('\t', '  ')

/** On one line, cut to `length` characters. */
export const oneLine = (text: string, length = Number.POSITIVE_INFINITY): string => {
  const line = cleanText(text).replace(/\s+/g, ' ').trim()
  return [...line].length <= length ? line : `${[...line].slice(0, Math.max(1, length - 1)).join('')}…`
}
