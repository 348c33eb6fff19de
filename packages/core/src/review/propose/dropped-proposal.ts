/** Stands in a proposer's list for what could not be passed on as a proposal, so that the review records why nothing came of it. */

const brand = Symbol.for('hermes.dropped-proposal')

export class DroppedProposal {
  /** A sentence for the journal. */
  readonly reason: string
  /** What it was, as far as it can be shown. */
  readonly raw: unknown

  constructor(reason: string, raw?: unknown) {
    this.reason = reason
    this.raw = raw
    Object.defineProperty(this, brand, { value: true })
  }

  /** `instanceof` knows it across copies of the package (ESM beside CommonJS). */
  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && brand in value
  }
}
