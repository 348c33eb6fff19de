/** Stands in a proposer's list for what could not be passed on as a proposal, so that the review records why nothing came of it. */

export class LeftOut {
  /** A sentence for the journal. */
  readonly reason: string
  /** What it was, as far as it can be shown. */
  readonly raw: unknown

  constructor(reason: string, raw?: unknown) {
    this.reason = reason
    this.raw = raw
  }
}
