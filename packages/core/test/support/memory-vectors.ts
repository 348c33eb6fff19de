/** The golden memory cases, one replayed op with the result of the reference, and the normalisation of both for comparison. */
import { expect } from 'vitest'
import type { HomeTarget, MemoryOpOutcome } from '../../src/memory/memory-op.ts'
import type { Result } from '../../src/shared/result.ts'

export type FileName = 'MEMORY.md' | 'USER.md'
export type FileContent = string | { readonly base64: string } | null
export interface CallOp {
  readonly target: HomeTarget
  readonly action?: string
  readonly content?: string
  readonly oldText?: string
  readonly batch?: ReadonlyArray<{ readonly action?: string; readonly content?: string; readonly oldText?: string }>
}
type VectorOp = CallOp | { readonly external: FileName; readonly write: string } | { readonly newTurn: true }
export type Expected =
  | { readonly ok: true; readonly entryCount?: number; readonly usage?: string }
  | { readonly ok: false; readonly error: string }
export type Snapshots = Readonly<Record<HomeTarget, string | null>>
export interface VectorCase {
  readonly name: string
  readonly group: string
  readonly limits: { readonly memory: number; readonly user: number }
  readonly initialFiles: Partial<Record<FileName, FileContent>>
  readonly ops: readonly VectorOp[]
  readonly expect: readonly Expected[]
  readonly finalFiles: Record<FileName, FileContent>
  readonly snapshot: Snapshots
  readonly nextSession: { readonly entries: Readonly<Record<HomeTarget, readonly string[]>>; readonly snapshot: Snapshots }
  readonly backups?: Partial<Record<FileName, readonly string[]>>
  readonly quirk?: string
}

export const FILES = { memory: 'MEMORY.md', user: 'USER.md' } as const
export const TARGETS = ['memory', 'user'] as const

/** The result of one op here and in the reference. */
export interface Step {
  readonly op: CallOp
  readonly reference: Expected
  readonly result: Result<MemoryOpOutcome>
  readonly before: Buffer | null
  readonly after: Buffer | null
  readonly entriesBefore: readonly string[]
  readonly limit: number
  /** An earlier op of the case on this target already differed from the reference. */
  readonly diverged: boolean
}

export const contentsOf = (op: CallOp): readonly string[] =>
  (op.batch ?? [op]).flatMap(({ action, content }) => (action !== 'remove' && content !== undefined ? [content] : []))

/** The number of entries that the reference counts after a successful op: it counts each text as one entry. */
const countAfter = ({ op, entriesBefore }: Step): number =>
  (op.batch ?? [op]).reduce((count, { action }) => count + (action === 'add' ? 1 : action === 'remove' ? -1 : 0), entriesBefore.length)

/** Checks that the reference applied the step, as a deviation claims. After an earlier difference, the results of the reference mean nothing. */
export const expectReferenceApplied = (step: Step) => {
  if (!step.diverged) expect(step.reference).toMatchObject({ ok: true, entryCount: countAfter(step) })
}

export const withLineFeeds = (text: string) => text.replace(/\r\n?/g, '\n')
export const codePoints = (text: string) => [...text].length
export const pieces = (bytes: Buffer | null) =>
  withLineFeeds(bytes?.toString('utf8') ?? '')
    .split('\n§\n')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
export const hasCosmeticDrift = (bytes: Buffer | null) => {
  const text = withLineFeeds(bytes?.toString('utf8') ?? '').trim()
  return text !== '' && text !== pieces(bytes).join('\n§\n')
}

export const summarise = (result: Result<MemoryOpOutcome>): Expected =>
  result.ok ? { ok: true, entryCount: result.value.entryCount, usage: result.value.usage } : { ok: false, error: result.error.code }

export const expectRefusedUntouched = (step: Step, code: string) => {
  expect(summarise(step.result)).toEqual({ ok: false, error: code })
  expect(step.after).toEqual(step.before)
}
