/**
 * JSON as Python Hermes writes it: keys sorted by code point, two spaces, non-ASCII kept, no final newline (reference skills-curator 4).
 */

/** A number that JavaScript would write differently, such as `1.0` or one beyond 2^53; it is written back as read. */
export class NumberText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Finds numbers that JavaScript would write differently; does not match inside the sidecar's own texts, such as times. */
const oddNumber = /(?:"\s*:|[[,])\s*(?:-0|-?\d+[.eE]|-?\d{16})/

/** UTF-16 units. Reading the source of each value is many times slower, so it is skipped for longer texts. */
const MAX_KEPT_CHARS = 524_288

const isChanged = (token: string): boolean => !token.startsWith('"') && String(Number(token)) !== token

/** A key that no object in the value has, after unescaping. */
const unusedKey = (value: unknown): string => {
  const text = JSON.stringify(value)
  let key = 'number'
  while (text.includes(key)) key += '_'
  return key
}

/** Throws a SyntaxError for invalid JSON. In a very large text, numbers become JavaScript numbers. */
export const parsePythonJson = (text: string): unknown => {
  const plain: unknown = JSON.parse(text)
  if (text.length > MAX_KEPT_CHARS || !oddNumber.test(text)) return plain
  // Not every supported runtime passes the source of a number to a reviver, so odd numbers are parsed as strings.
  const key = unusedKey(plain)
  const marked = text.replace(STRING_OR_NUMBER, (token) => (isChanged(token) ? `{"${key}":"${token}"}` : token))
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? new NumberText(String(Reflect.get(value, key))) : value,
  )
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

const bySurrogates = (a: string, b: string): number => {
  const others = b[Symbol.iterator]()
  for (const point of a) {
    const other = others.next()
    if (other.done) return 1
    const difference = (point.codePointAt(0) ?? 0) - (other.value.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return others.next().done ? 0 : -1
}

/** By code point, as in Python: UTF-16 order puts emoji before some other characters. */
const byCodePoint = (a: string, b: string): number => {
  const end = Math.min(a.length, b.length)
  for (let at = 0; at < end; at++) {
    const [unit, other] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (unit !== other) return isSurrogate(unit) || isSurrogate(other) ? bySurrogates(a, b) : unit - other
  }
  return a.length - b.length
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

const isInOrder = (keys: readonly string[]): boolean => {
  for (let at = 1; at < keys.length; at++) if (byCodePoint(keys[at - 1] as string, keys[at] as string) > 0) return false
  return true
}

/** Whether the platform writes the value as `write` does: keys in order, no kept numbers, nothing that JSON leaves out. */
const isAsPlatformWrites = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return value !== undefined
  if (Array.isArray(value)) return value.every(isAsPlatformWrites)
  if (value instanceof NumberText || value instanceof Map) return false
  return isInOrder(Object.keys(value)) && Object.values(value).every(isAsPlatformWrites)
}

/** The same with its keys in order. What is in order already, as nearly every record is, stays as it is. */
const inOrder = (value: unknown): unknown => {
  if (isAsPlatformWrites(value) || typeof value !== 'object' || value === null || value instanceof NumberText) return value
  if (Array.isArray(value)) return value.map(inOrder)
  const entries: [string, unknown][] = value instanceof Map ? [...value] : Object.entries(value)
  return Object.fromEntries(entries.sort(([a], [b]) => byCodePoint(a, b)).map(([key, item]) => [key, inOrder(item)]))
}

/** Maps become objects. The platform writes it if it can, which is many times faster. */
export const toPythonJson = (value: unknown): string => {
  const ordered = inOrder(value)
  return isAsPlatformWrites(ordered) ? JSON.stringify(ordered, null, 2) : write(value, '')
}
