/** Pieces of which crafted texts are made. */
import { readLines } from '../read-lines.ts'

interface Piece {
  /** `shape`: for every reader. `opening`, `almost`, `unicode`: for the scan of threats: how a threat begins, what nearly is one, and what is costly to normalise. */
  readonly list: 'shape' | 'opening' | 'almost' | 'unicode'
  readonly name?: string
  readonly piece: string
}

const PIECES = readLines<Piece>(new URL('pieces.jsonl', import.meta.url))

export const piecesOf = (wanted: Piece['list']): readonly Piece[] => PIECES.filter(({ list }) => list === wanted)
