/** Four bytes at a time, which is several times faster; undefined where they do not begin at a word. */
const wordsOf = ({ buffer, byteOffset, length }: Uint8Array): Uint32Array | undefined =>
  byteOffset % 4 === 0 ? new Uint32Array(buffer, byteOffset, length >> 2) : undefined

/** Below it, the views cost more than they save. */
const LEAST_BYTES = 256

export const startsWithBytes = (bytes: Uint8Array, beginning: Uint8Array): boolean => {
  if (bytes.length < beginning.length) return false
  const length = beginning.length
  const [ours, theirs] = length < LEAST_BYTES ? [] : [wordsOf(bytes), wordsOf(beginning)]
  let at = 0
  if (ours && theirs) {
    for (let word = 0; word < theirs.length; word++) if (ours[word] !== theirs[word]) return false
    at = theirs.length * 4
  }
  for (; at < length; at++) if (bytes[at] !== beginning[at]) return false
  return true
}

/** Whether two documents have the same bytes. */
export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && startsWithBytes(a, b)
