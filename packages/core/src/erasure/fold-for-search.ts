/** Makes all spellings of a text equal: case, Unicode form, white space and invisible characters. Pure. */
import { isAscii } from '../shared/ascii.ts'
import { foldVisible } from '../shared/fold-text.ts'

/** Invisible characters are removed before folding too, because they keep a letter and its mark apart. */
const foldBeyondAscii = (text: string): string => foldVisible(text).toUpperCase().toLowerCase().replaceAll('ς', 'σ')

/** With the letter before them, which their first mark may change. */
const BEYOND_ASCII = /[\0-\x7f]?[^\0-\x7f]+/g

/** The folded form of short pieces, such as a letter with a curly quotation mark, which occur again and again. */
const shortPieces = new Map<string, string>()
const MAX_PIECE_CHARS = 4
const MAX_PIECES = 4_096

const foldPiece = (piece: string): string => {
  if (piece.length > MAX_PIECE_CHARS) return foldBeyondAscii(piece)
  const known = shortPieces.get(piece)
  if (known !== undefined) return known
  if (shortPieces.size >= MAX_PIECES) shortPieces.clear()
  const folded = foldBeyondAscii(piece)
  shortPieces.set(piece, folded)
  return folded
}

/** ASCII letters combine with none behind them, so that only the pieces beyond ASCII need the rules of Unicode. */
export const foldLetters = (text: string): string => (isAscii(text) ? text : text.replace(BEYOND_ASCII, foldPiece)).toLowerCase()

export const foldSpaces = (text: string): string => text.replace(/\s{2,}|[^\S ]/g, ' ')

/** Equal for all spellings of a text. */
export const foldForSearch = (text: string): string => foldSpaces(foldLetters(text))
