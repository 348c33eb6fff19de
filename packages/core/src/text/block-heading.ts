/** How a section of the frozen block begins and how text from outside is quoted in it, and how both are taken apart again when something is erased. */

const RULE = '═'.repeat(46)

export const blockHeading = (title: string): string => `${RULE}\n${title}\n${RULE}`

/** A heading with the blank line before it: splits a block into its sections. */
export const BLOCK_HEADING = new RegExp(`((?:^|\\n\\n)${RULE}\\n[^\\n]*\\n${RULE}\\n)`)

/** Marks every line, by any line break a model may recognise, so that a text from outside cannot seem to end its section. */
export const quoteLines = (text: string): string => `> ${text.replace(/[\n\v\f\u0085\u2028\u2029]/g, '$&> ')}`

export const unquoteLines = (text: string): string => text.replace(/(^|[\n\v\f\u0085\u2028\u2029])> /g, '$1')
