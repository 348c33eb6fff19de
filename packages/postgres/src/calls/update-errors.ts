/** Why an update was not done, as errors. Pure. */
import { HermesError } from '@hermes/core'
import { notADocument, nothingAt, occupiedAt } from '@hermes/core/storage'

export const tooLarge = (path: string, length: number, most: number): HermesError => {
  const message = `'${path}' would have ${length} bytes, but a document may have at most ${most}. Store less, or raise maxDocumentBytes; nothing was written.`
  return new HermesError('invalid', message, { details: { path } })
}

/** `refusal`: what the function of the schema says, as JSON. */
export const refusalError = (refusal: string, most: number): HermesError => {
  const [reason, path = '', more = '']: readonly string[] = JSON.parse(refusal)
  switch (reason) {
    case 'not_found':
      return nothingAt(path)
    case 'occupied':
      return occupiedAt(path)
    case 'folder':
      return notADocument(path, 'it is a folder')
    case 'below':
      return notADocument(path, `'${more}' is a document, not a folder`)
    case 'long':
      return new HermesError('invalid_path', `'${path.slice(0, 80)}…' would be longer than a path may be. Choose a shorter target.`)
    default:
      return tooLarge(path, Number(more), most)
  }
}

const named = (paths: readonly string[]): string => paths.slice(0, 3).join(', ') + (paths.length > 3 ? ', …' : '')

export const tooBusy = (paths: readonly string[]): HermesError =>
  new HermesError('locked', `Other writers kept ${named(paths)} busy for too long. Try again, or raise timeoutMs; nothing was written.`)

export const tooLate = (paths: readonly string[]): HermesError =>
  new HermesError('io', `The time for the update of ${named(paths)} was up before it was written. Nothing was written; try again.`)

export const wrongIsolation = (): HermesError =>
  new HermesError(
    'invalid',
    "The connections of this client have another default isolation level than 'read committed', which Hermes needs to see what others have written. Set default_transaction_isolation to it for this client; nothing was written.",
  )

export const unanswered = (paths: readonly string[], { code, message, details }: HermesError): HermesError =>
  new HermesError(
    code,
    `The connection was lost during an update of ${named(paths)}: it is unknown whether it was done. Read what it changes before you try again. ${message}`,
    { details },
  )
