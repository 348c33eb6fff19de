/** A long text cut at white space, so that each piece can be read in a moment. Together the pieces hold every word of the text. */

const PIECE_CHARS = 8_000

const isSpace = /\s/

const endOfPiece = (text: string, start: number): number => {
  const most = start + PIECE_CHARS
  if (most >= text.length) return text.length
  for (let end = most; end > start + PIECE_CHARS / 2; end--) if (isSpace.test(text.charAt(end))) return end
  // One long word: it is cut, but no character is.
  return /[\udc00-\udfff]/.test(text.charAt(most)) ? most - 1 : most
}

export const inPieces = (text: string): readonly string[] => {
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = endOfPiece(text, start)
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}
