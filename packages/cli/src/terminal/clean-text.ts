/** Removes characters from untrusted text that would control the terminal or reverse the direction of a line. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: the regular expression matches control characters
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Keeps line breaks; a tab becomes two spaces. */
export const cleanText = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(CONTROL, '')
    .replaceAll('\t', '  ')

/** Cleans the text and joins it to one line. */
export const oneLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ').trim()

const escapeChar = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Escapes control characters that JSON leaves as they are; the data stays the same. */
export const escapeJson = (json: string): string => json.replace(CONTROL, escapeChar)

/** Messages of providers may end with or without punctuation. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
