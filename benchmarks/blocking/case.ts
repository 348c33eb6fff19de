/** A crafted input that a host runs. */
export interface BlockingCase {
  readonly name: string
  readonly run: () => unknown
}

export const repeated = (piece: string, chars: number): string => piece.repeat(Math.ceil(chars / piece.length)).slice(0, chars)
