/** Reads front matter of the plainest kind, `key: text` a line, without a YAML parser: that is most skills, and a tenth of the time. */

/** A top-level key that YAML reads as text. */
const KEY = /^[A-Za-z][A-Za-z0-9_-]*$/

/** Words and numbers of YAML 1.1 that are no text. */
const NOT_TEXT = /^(?:y|yes|n|no|on|off|true|false|null|nan|inf|[+-]?\.?[0-9].*|[+-]?\.(?:nan|inf))$/i

/** Begins with a letter, as what begins with anything else may mean something. */
const PLAIN = /^\p{L}[\p{L}\p{N}\p{M} .,;!?()/'"+*=&%$@<>|_-]*$/u

/** Nothing inside that YAML would read as an escape. */
const QUOTED = /^"([^"\\\p{C}\u2028\u2029]*)"$|^'([^'\p{C}\u2028\u2029]*)'$/u

/** White space of YAML, and the carriage return of a line end. */
const AROUND = /^ +| *\r?$/g

const readValue = (written: string): string | undefined => {
  const quoted = QUOTED.exec(written)
  if (quoted) return quoted[1] ?? quoted[2]
  return PLAIN.test(written) && !NOT_TEXT.test(written) ? written : undefined
}

/** Each key with its text, in the order written; `undefined` where a single line is anything else, or a key stands twice. */
export const readPlainFrontMatter = (yaml: string): ReadonlyMap<string, string> | undefined => {
  const texts = new Map<string, string>()
  for (const line of yaml.split('\n')) {
    if (line === '') continue
    const colon = line.indexOf(': ')
    const key = line.slice(0, Math.max(colon, 0))
    const value = readValue(line.slice(colon + 2).replace(AROUND, ''))
    if (!KEY.test(key) || NOT_TEXT.test(key) || texts.has(key) || value === undefined) return undefined
    texts.set(key, value)
  }
  return texts.size > 0 ? texts : undefined
}
