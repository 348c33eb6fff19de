/** White-space delimited tokens of a folded text, with constant-time queries for phrase matching. */

export interface ThreatTokens {
  readonly text: string
  readonly count: number
  readonly starts: Int32Array
  /** Offset after the last character. */
  readonly ends: Int32Array
  /**
   * For each token, the index of the nearest token up to and including it that holds something other than letters, digits and
   * underscores; -1 if none.
   */
  readonly lastNonWord: Int32Array
}

const isWordCode = Uint8Array.from({ length: 128 }, (_, code) => (/\w/.test(String.fromCharCode(code)) ? 1 : 0))

/** `false` outside the text. */
export const isWordAt = (text: string, at: number): boolean => at >= 0 && at < text.length && isWordCode[text.charCodeAt(at)] === 1

/** One pass over a folded text. */
export const toTokens = (text: string): ThreatTokens => {
  const room = (text.length >> 1) + 1
  const starts = new Int32Array(room)
  const ends = new Int32Array(room)
  const lastNonWord = new Int32Array(room)
  let count = 0
  let start = -1
  let pure = true
  let nonWord = -1
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0x20
    if (code === 0x20 || code === 0x0a) {
      if (start >= 0) {
        starts[count] = start
        ends[count] = at
        if (!pure) nonWord = count
        lastNonWord[count++] = nonWord
      }
      start = -1
      pure = true
    } else {
      if (start < 0) start = at
      if (isWordCode[code] === 0) pure = false
    }
  }
  return { text, count, starts, ends, lastNonWord }
}
