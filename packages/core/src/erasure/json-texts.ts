/** The texts in JSON data of the library. Keys, ids, hashes and words with a fixed meaning are not texts. Pure. */

const FIXED: ReadonlySet<string> = new Set([
  ...['id', 'sessionId', 'pendingId', 'runId', 'backupId', 'messageId', 'archive', 'backup'],
  ...['version', 'stamp', 'filter', 'mark', 'base', 'sha256', 'archiveSha256', 'turnKey'],
  ...['actor', 'verdict', 'origin', 'action', 'target', 'role', 'code', 'kind', 'state', 'why', 'method', 'phase', 'readBy', 'createdBy'],
])

type Data = Readonly<Record<string, unknown>>

export const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether any text passes the test. Keys are not tested. */
export const someText = (value: unknown, test: (text: string) => boolean): boolean => {
  if (typeof value === 'string') return test(value)
  if (Array.isArray(value)) return value.some((item) => someText(item, test))
  if (!isData(value)) return false
  return Object.entries(value).some(([key, item]) => !(FIXED.has(key) && typeof item === 'string') && someText(item, test))
}

/** A copy with every text changed, except the texts at the keys in `stays`. */
export const mapTexts = (value: unknown, change: (text: string) => string, stays: ReadonlySet<string> = new Set()): unknown => {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, stays))
  if (!isData(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) =>
      (FIXED.has(key) || stays.has(key)) && typeof item === 'string' ? [key, item] : [key, mapTexts(item, change, stays)],
    ),
  )
}

/** `undefined` if the text is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
