export const startsWithBytes = (bytes: Uint8Array, beginning: Uint8Array): boolean => {
  for (let at = 0; at < beginning.length; at++) if (bytes[at] !== beginning[at]) return false
  return true
}

/** Whether two documents have the same bytes. */
export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && startsWithBytes(a, b)
