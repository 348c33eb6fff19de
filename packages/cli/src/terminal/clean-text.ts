/** Takes out of text from a model or a file whatever would steer the terminal, or turn round what stands on its line. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Line breaks stay; a tab becomes two spaces. */
export const cleanText = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(CONTROL, '')
    .replaceAll('\t', '  ')

/** On one line. */
export const oneLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ').trim()

const escapeChar = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** For JSON, which escapes only some of them: the same data, and nothing that steers a terminal. */
export const escapeJson = (json: string): string => json.replace(CONTROL, escapeChar)
