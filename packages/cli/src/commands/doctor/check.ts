/** One thing that `hermes doctor` looks at. */
import type { Context } from '../../context.ts'

export type CheckStatus = 'ok' | 'warning' | 'problem'

export interface Check {
  /** Fixed, for programs. */
  readonly id: string
  readonly status: CheckStatus
  /** What was found. */
  readonly found: string
  /** What to do; undefined if there is nothing to do. */
  readonly fix?: string | undefined
  /** One line for each of several findings. */
  readonly details?: readonly string[] | undefined
}

/** Never writes, and never throws for what can be wrong with a home. */
export type Examine = (context: Context) => Promise<Check>

type Words = Pick<Check, 'fix' | 'details'>

export const fine = (id: string, found: string, words: Words = {}): Check => ({ id, status: 'ok', found, ...words })
export const warning = (id: string, found: string, words: Words = {}): Check => ({ id, status: 'warning', found, ...words })
export const problem = (id: string, found: string, words: Words = {}): Check => ({ id, status: 'problem', found, ...words })
