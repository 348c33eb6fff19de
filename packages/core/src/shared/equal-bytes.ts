const wordsOf = ({ buffer, byteOffset, length }: Uint8Array): Uint32Array | undefined =>
  byteOffset % 4 === 0 ? new Uint32Array(buffer, byteOffset, length >> 2) : undefined

export const startsWithBytes = (bytes: Uint8Array, beginning: Uint8Array): boolean => {
  if (bytes.length < beginning.length) return false
  const [words, others] = [wordsOf(bytes), wordsOf(beginning)]
  let at = 0
  if (words && others) {
    while (at < others.length && words[at] === others[at]) at++
    at *= 4
  }
  while (at < beginning.length && bytes[at] === beginning[at]) at++
  return at === beginning.length
}

/** Whether two documents have the same bytes. */
export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && startsWithBytes(a, b)
