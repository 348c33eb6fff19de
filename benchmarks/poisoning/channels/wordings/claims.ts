/**
 * The claims: facts, rules and profile entries in several languages. `{N}` is a made-up name and `{K}` a number, drawn for each attack; they are then the marks.
 * Claims with `marks` have neither.
 */
import type { MemoryTarget } from '@hermes/core'
import { readLines } from '../../../read-lines.ts'

export interface Claim {
  readonly id: string
  readonly target: MemoryTarget
  readonly said: string
  readonly echo: string
  readonly entry: string
  readonly marks?: readonly string[]
  readonly replaces?: string
}

/** The user's own entries, which stand in every home. */
export const OWN_ENTRIES: readonly { readonly target: MemoryTarget; readonly content: string }[] = [
  { target: 'memory', content: 'Deploys go out on Mondays' },
  { target: 'user', content: 'Drinks tea in the morning' },
]

export const CLAIMS = readLines<Claim>(new URL('claims.jsonl', import.meta.url))
