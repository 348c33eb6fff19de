/** What the plans of a commit have done to the documents: as one record of the log, and as what a later commit finds. Pure. */
import { HermesError } from '../../shared/hermes-error.ts'
import { type Found, identityIn } from './documents.ts'
import { SHARED_DOCUMENTS } from './home.ts'
import { type AppendEntry, type LogRecord, type MoveEntry, markOf, type PutEntry } from './log-record.ts'
import { temporaryName } from './placing.ts'
import { differenceOf } from './shared-documents.ts'

export interface Change {
  readonly base: Found
  readonly executable: boolean
  /** The whole document, or null. Undefined if it only grows. */
  readonly whole: Uint8Array | null | undefined
  readonly appended: Uint8Array
}

export const EMPTY = new Uint8Array()
export const join = (first: Uint8Array, second: Uint8Array): Uint8Array => {
  if (second.length === 0) return first
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

/** `tag`: of the home. */
export const recordOf = (tag: string, number: number, moves: readonly MoveEntry[], changes: ReadonlyMap<string, Change>): LogRecord => {
  const puts: PutEntry[] = []
  const appends: AppendEntry[] = []
  for (const [path, { base, whole, appended, executable }] of changes) {
    const isShared = SHARED_DOCUMENTS.includes(path)
    const old = base.kind === 'document' ? base.bytes : undefined
    const bytes = whole === undefined && (isShared || base.kind !== 'document') ? join(old ?? EMPTY, appended) : whole
    if (bytes === undefined) appends.push({ path, offset: base.kind === 'document' ? base.size : 0, bytes: appended })
    else {
      const difference = isShared && bytes && moves.length === 0 ? differenceOf(path, old, bytes) : undefined
      const shared = difference ? { difference, temporary: temporaryName(tag, number, puts.length) } : {}
      puts.push({ path, bytes, executable, old: old && markOf(old), ...shared })
    }
  }
  return { number, moves, puts, appends }
}

/** `identity`: of its new file, if it has one. */
export const foundAfter = ({ base, whole, appended, executable }: Change, identity: string | undefined): Found => {
  if (base.kind !== 'document') return base
  const bytes = whole ?? (base.bytes && join(base.bytes, appended))
  const size = bytes?.length ?? base.size + appended.length
  const stamp = `${identity ?? identityIn(base.stamp)}:${size}`
  return { kind: 'document', file: base.file, size, executable, bytes, stamp }
}

/** Links give one file several names. */
export const isSameFile = (a: Found, b: Found): boolean => {
  if (a.kind === 'document' && b.kind === 'document') return identityIn(a.stamp) === identityIn(b.stamp)
  return a.kind === 'none' && b.kind === 'none' && a.file === b.file
}

export const sameFile = (path: string, other: string): HermesError =>
  new HermesError('invalid_path', `'${path}' and '${other}' are the same file, by a link. Change it as '${other}'. Nothing was written.`)

export const inTheWay = (path: string): HermesError =>
  new HermesError(
    'occupied',
    `The folder '${path}' holds files that are no documents. Check what they are and move them away. Nothing was written.`,
    {
      details: { path },
    },
  )

/** What a plan has thrown, for its caller. */
export class ThrownByPlan extends Error {
  constructor(thrown: unknown) {
    super('A plan has thrown.', { cause: thrown })
  }
}
