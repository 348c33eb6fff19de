/** What the functions of the schema answer to a creation or a move, as an error. */
import type { HermesError } from '@hermes/core'
import { notADocument } from '@hermes/core/storage'

const BELOW = 'below:'

/** The error of an answer that another document is in the way, `undefined` for any other answer. */
export const inTheWay = (path: string, answer: string): HermesError | undefined => {
  if (answer === 'folder') return notADocument(path, 'it is a folder')
  return answer.startsWith(BELOW) ? notADocument(path, `'${answer.slice(BELOW.length)}' is a document, not a folder`) : undefined
}
