/** The proposer port: what should be remembered? It only proposes (seed 004). */
import type { Result } from '../../shared/result.ts'

/** Contract: raw, unvalidated proposals; core validates each alone. An error fails the whole review closed. */
export type ReviewProposer = (summary: string) => Promise<Result<readonly unknown[]>>
