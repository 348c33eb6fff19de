/** Takes out of text from a model or a file whatever would steer the terminal, or turn round what stands on its line. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Line breaks stay; a tab becomes two spaces. */
export const cleanText = (text: string): string => text.replace(/\r\n?/g, '\n').replace(CONTROL, '').replaceAll('\t', '  ')

/** On one line. */
export const oneLine = (text: string): string =>
  cleanText(text.replace(/[\r\n\u2028\u2029]+/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()
