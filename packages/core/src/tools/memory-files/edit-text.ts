/** The edits of Claude's memory tool on a text, and how it shows lines. Pure. */

const linesOf = (text: string): readonly string[] => {
  const lines = text.split('\n')
  // A text that ends with a line break has no line behind it.
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** Lines `from` to `to`, counted from 1 and both included, with their numbers, as the published tool shows them. */
export const numberedLines = (text: string, from = 1, to = Number.POSITIVE_INFINITY): string =>
  linesOf(text)
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ number }) => number >= from && number <= to)
    .map(({ line, number }) => `${String(number).padStart(6)}\t${line}`)
    .join('\n')

export const countLines = (text: string): number => linesOf(text).length

/** Lines of context around a change. */
const AROUND = 2

/** The lines around an edit that ends in line `last`. */
export const snippetAround = (text: string, first: number, last: number): string => numberedLines(text, first - AROUND, last + AROUND)

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length

/** Lines in which the text begins; at most 20. */
const occurrences = (text: string, piece: string): readonly number[] => {
  const found: number[] = []
  for (let at = text.indexOf(piece); at !== -1 && found.length < 20; at = text.indexOf(piece, at + piece.length))
    found.push(lineAt(text, at))
  return found
}

export interface Edited {
  readonly text: string
  /** Lines of the new text, counted from 1. */
  readonly first: number
  readonly last: number
}

/** `lines`: where the piece stands, if that is not exactly once. */
export const replacePiece = (text: string, piece: string, by: string): Edited | { readonly lines: readonly number[] } => {
  const lines = piece === '' ? [] : occurrences(text, piece)
  const [first = 0, ...more] = lines
  if (lines.length === 0 || more.length > 0) return { lines }
  const at = text.indexOf(piece)
  return { text: `${text.slice(0, at)}${by}${text.slice(at + piece.length)}`, first, last: first + by.split('\n').length - 1 }
}

/** Behind the line with this number, 0 for the beginning; `undefined` if there is no such line. */
export const insertLines = (text: string, behind: number, inserted: string): Edited | undefined => {
  const lines = linesOf(text)
  if (!Number.isInteger(behind) || behind < 0 || behind > lines.length) return undefined
  const added = linesOf(inserted)
  const all = [...lines.slice(0, behind), ...added, ...lines.slice(behind)]
  return { text: all.map((line) => `${line}\n`).join(''), first: behind + 1, last: behind + added.length }
}

/** As `du -h` writes it. */
export const fileSize = (text: string): string => {
  const bytes = new TextEncoder().encode(text).length
  return bytes < 1_024 ? `${bytes}B` : `${(bytes / 1_024).toFixed(1)}K`
}
