/** JSON as Python Hermes writes it: keys sorted by code point, two spaces, non-ASCII kept, no final newline (reference skills-curator 4). */

/** A number whose text JavaScript would change, such as `1.0` or one beyond 2^53: it is written back as it was read. */
export class NumberText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Where a number may stand that JavaScript would write differently; never in a text of the sidecar's own, such as a time. */
const oddNumber = /(?:"\s*:|[[,])\s*(?:-0|-?\d+[.eE]|-?\d{16})/

/** Looking at the source of each value takes many times as long as reading it. UTF-16 units. */
const MAX_KEPT_CHARS = 524_288

const isChanged = (token: string): boolean => !token.startsWith('"') && String(Number(token)) !== token

/** A key that no object in the value has, however the text spells its keys. */
const unusedKey = (value: unknown): string => {
  const text = JSON.stringify(value)
  let key = 'number'
  while (text.includes(key)) key += '_'
  return key
}

/** Throws a SyntaxError for what is not JSON. In a very large text numbers are JavaScript's own. */
export const parsePythonJson = (text: string): unknown => {
  const plain: unknown = JSON.parse(text)
  if (text.length > MAX_KEPT_CHARS || !oddNumber.test(text)) return plain
  // Not every supported runtime tells a reviver how a number was written, so the texts go through as strings.
  const key = unusedKey(plain)
  const marked = text.replace(STRING_OR_NUMBER, (token) => (isChanged(token) ? `{"${key}":"${token}"}` : token))
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? new NumberText(String(Reflect.get(value, key))) : value,
  )
}

/** By code point, as Python sorts: UTF-16 order puts emoji before some other letters. */
const byCodePoint = (a: string, b: string): number => {
  const others = b[Symbol.iterator]()
  for (const point of a) {
    const other = others.next()
    if (other.done) return 1
    const difference = (point.codePointAt(0) ?? 0) - (other.value.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return others.next().done ? 0 : -1
}

const write = (value: unknown, indent: string): string => {
  if (value instanceof NumberText) return value.text
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const inner = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${write(item, inner)}`)
    : [...(value instanceof Map ? value : Object.entries(value))]
        .sort(([a], [b]) => byCodePoint(a, b))
        .map(([key, item]) => `${inner}${JSON.stringify(key)}: ${write(item, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

/** Maps are written as objects. */
export const toPythonJson = (value: unknown): string => write(value, '')
