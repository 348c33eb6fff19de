/** The texts in JSON data, without keys. Recursion is safe: data from `parseBoundedJson` is at most 64 levels deep. Pure. */

export const isData = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `undefined` if the text is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** True for the keys of strings that are no texts, such as ids. */
type IsFixed = (key: string) => boolean

const nothingIsFixed: IsFixed = () => false

/** Whether any text passes the test. */
export const someText = (value: unknown, test: (text: string) => boolean, isFixed = nothingIsFixed): boolean => {
  if (typeof value === 'string') return test(value)
  if (Array.isArray(value)) return value.some((item) => someText(item, test, isFixed))
  if (!isData(value)) return false
  return Object.entries(value).some(([key, item]) => !(typeof item === 'string' && isFixed(key)) && someText(item, test, isFixed))
}

export const textsIn = (value: unknown): readonly string[] => {
  const texts: string[] = []
  someText(value, (text) => texts.push(text) === 0)
  return texts
}

/** A copy with every text changed; shape and other values are kept. */
export const mapTexts = <T>(value: T, change: (text: string) => string, isFixed = nothingIsFixed): T => {
  const copy = (part: unknown): unknown => {
    if (typeof part === 'string') return change(part)
    if (Array.isArray(part)) return part.map(copy)
    if (!isData(part)) return part
    return Object.fromEntries(
      Object.entries(part).map(([key, item]) => [key, typeof item === 'string' && isFixed(key) ? item : copy(item)]),
    )
  }
  // Only texts change, and only into texts, so the copy has the type of the original.
  return copy(value) as T
}
