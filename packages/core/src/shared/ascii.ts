const ascii = /^[\0-\x7f]*$/

/** Texts in ASCII need no Unicode rule; most texts are. */
export const isAscii = (text: string): boolean => ascii.test(text)
