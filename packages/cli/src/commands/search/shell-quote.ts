/** Quotes a word for a shell, so that a command that is shown can be copied. */

/** Plain words stay as they are. */
export const shellQuote = (word: string): string => (/^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
