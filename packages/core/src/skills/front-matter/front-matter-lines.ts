/**
 * Front matter as lines, with the lines of each top-level key. Does not need valid YAML, so that broken skills can be read and repaired.
 */

export interface FrontMatterBlock {
  readonly key: string
  /** Index of the line with the key. */
  readonly start: number
  /** Index after the last line of the value; trailing comments and blank lines are not part of it. */
  readonly end: number
  /** Offset in the first line after the colon. */
  readonly valueAt: number
}

/** Each line includes its line end. */
export const toLines = (text: string): readonly string[] => (text === '' ? [] : text.split(/(?<=\n)/))

const quotedKey = /^(?:"([^"\\]*)"|'([^']*)')[ \t]*:(?=\s|$)/

const keyOf = (line: string): { readonly key: string; readonly valueAt: number } | undefined => {
  if (line === '' || /^[\s#]|^[-?](?:\s|$)/.test(line)) return undefined
  const quoted = quotedKey.exec(line)
  if (quoted) return { key: quoted[1] ?? quoted[2] ?? '', valueAt: quoted[0].length }
  const colon = line.search(/:(?:\s|$)/)
  return colon < 1 ? undefined : { key: line.slice(0, colon).trimEnd(), valueAt: colon + 1 }
}

const isOutside = (line: string): boolean => line.trim() === '' || line.startsWith('#')

export const toBlocks = (lines: readonly string[]): readonly FrontMatterBlock[] => {
  const starts = lines.flatMap((line, start) => {
    const found = keyOf(line)
    return found ? [{ ...found, start }] : []
  })
  return starts.map(({ key, start, valueAt }, index) => {
    let end = starts[index + 1]?.start ?? lines.length
    while (end > start + 1 && isOutside(lines[end - 1] ?? '')) end--
    return { key, start, end, valueAt }
  })
}

export interface InlineValue {
  /** White space before the value. */
  readonly lead: string
  readonly value: string
  /** White space, comment and line end after it. */
  readonly tail: string
}

const quotedValue = /^(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*')(?=\s|$)/

const commentAt = (text: string, from: number): number => {
  for (let at = text.indexOf('#', from); at !== -1; at = text.indexOf('#', at + 1)) {
    if (at === 0 || text[at - 1] === ' ' || text[at - 1] === '\t') return at
  }
  return text.length
}

/** Splits the text after the colon as YAML would. */
export const splitInline = (rest: string): InlineValue => {
  const trimmed = rest.trimStart()
  const lineEnd = trimmed === '' ? 0 : rest.length - trimmed.length
  const quoted = quotedValue.exec(trimmed)?.[0]
  const value = quoted ?? trimmed.slice(0, commentAt(trimmed, 0)).trimEnd()
  return { lead: rest.slice(0, lineEnd), value, tail: rest.slice(lineEnd + value.length) }
}

export const isQuoted = (value: string): boolean => quotedValue.exec(value)?.[0].length === value.length && value !== ''

const unquote = (value: string): string => {
  if (!isQuoted(value)) return value
  if (value.startsWith("'")) return value.slice(1, -1).replaceAll("''", "'")
  return value.slice(1, -1).replace(/\\(["\\])/g, '$1')
}

/** The last resort: `key: value` lines as text. Continuation lines are joined to their value; nested values are skipped. */
export const readLines = (yaml: string): ReadonlyMap<string, string> => {
  const lines = toLines(yaml)
  const values = new Map<string, string>()
  for (const { key, start, end, valueAt } of toBlocks(lines)) {
    const { value } = splitInline((lines[start] ?? '').slice(valueAt))
    const more = lines.slice(start + 1, end).map((line) => line.trim())
    if (/^[|>][-+0-9]*$/.test(value)) values.set(key, more.join(value.startsWith('|') ? '\n' : ' '))
    else if (value !== '') values.set(key, [unquote(value), ...more].join(' ').trim())
  }
  return values
}
