/** What a proposer returned and nobody disposes of, since it is no valid proposal or was left out: told with the reason, and journalled with its text. */
import type { JournalRecordInput } from '../../journal/journal.ts'
import { cutEnd } from '../../model/cut-text.ts'
import { type ReviewProposal, reviewProposalSchema } from '../../proposal/review-proposal.ts'
import type { DisposeDeps } from '../apply/dispose-deps.ts'
import { appendRecords, toRecord } from '../apply/record-disposal.ts'
import type { RejectedProposal } from '../review-outcome.ts'
import { DroppedProposal } from './dropped-proposal.ts'

const MAX_RAW_CHARS = 2_000

const rawText = (raw: unknown): string => {
  try {
    return cutEnd(JSON.stringify(raw) ?? String(raw), MAX_RAW_CHARS)
  } catch {
    return '[cannot be shown as JSON]'
  }
}

const whyInvalid = (raw: unknown): string => {
  const parsed = reviewProposalSchema.safeParse(raw)
  const [issue] = parsed.error?.issues ?? []
  const where = issue && issue.path.length > 0 ? ` at '${issue.path.join('.')}'` : ''
  return `It is not a valid proposal${where}: ${issue?.message ?? 'unknown reason'}.`
}

/** Undefined for what is no valid proposal, or was left out. */
export const readRaw = (raw: unknown): ReviewProposal | undefined => {
  const parsed = raw instanceof DroppedProposal ? undefined : reviewProposalSchema.safeParse(raw)
  return parsed?.success ? parsed.data : undefined
}

/** What was left out may be a valid proposal all the same: then the journal has it as one. */
const toRejected = (raw: unknown, deps: DisposeDeps): { readonly rejected: RejectedProposal; readonly record: JournalRecordInput } => {
  const reason = raw instanceof DroppedProposal ? raw.reason : whyInvalid(raw)
  const shown = raw instanceof DroppedProposal ? raw.raw : raw
  const proposal = readRaw(shown)
  const record = proposal
    ? toRecord(deps, { verdict: 'rejected', reason }, proposal)
    : toRecord(deps, { verdict: 'invalid', reason, ...(shown === undefined ? {} : { raw: rawText(shown) }) })
  return { rejected: { proposal: shown, reason, held: false }, record }
}

/** Rejected without being disposed of: those that follow each other in the list are one append. */
export class RejectedRaws {
  readonly #deps: DisposeDeps
  #records: JournalRecordInput[] = []

  constructor(deps: DisposeDeps) {
    this.#deps = deps
  }

  put(raw: unknown): RejectedProposal {
    const { rejected, record } = toRejected(raw, this.#deps)
    this.#records.push(record)
    return rejected
  }

  async flush(): Promise<void> {
    const records = this.#records
    this.#records = []
    if (records.length > 0) await appendRecords(this.#deps, records)
  }
}
