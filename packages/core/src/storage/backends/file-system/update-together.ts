/**
 * Updates of one document that wait for its lock in this process are made together: each change sees what the one before it has made, all
 * are written once, and each is answered after that write. So many sessions of one process share the cost of a durable write.
 */
import type { Clock } from '../../../shared/clock.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { type DocumentChange, type DocumentContent, type StoredDocument, UNCHANGED, type UpdateOptions } from '../../storage-backend.ts'
import { toDocument } from './document-file.ts'
import { ChangeThrew, runChange } from './run-change.ts'

export interface AskedUpdate extends UpdateOptions {
  readonly change: DocumentChange
  /** Others that were asked for later are in it: they must not see an older document than there was then. */
  readonly isJoined?: boolean
}

type Updated = Result<StoredDocument | undefined>

/** `present`: undefined for no document. `isWritten`: it is on the disk only if the write succeeds. */
type Outcome =
  | { readonly kind: 'made'; readonly present: Required<DocumentContent> | undefined; readonly isWritten: boolean }
  | { readonly kind: 'threw'; readonly error: ChangeThrew }

interface Member {
  readonly asked: AskedUpdate
  outcome?: Outcome
}

interface Group {
  readonly members: Member[]
  readonly done: Promise<() => Updated>
}

/** After so many milliseconds of changes, the rest is left to the next group: they block the event loop. */
const MAX_BLOCKING_MS = 10

/** By document: the group that waits for the lock. */
const waiting = new Map<string, Group>()

/** A copy, so that neither callers nor members share bytes. */
const copyOf = (content: Required<DocumentContent> | undefined): StoredDocument | undefined =>
  content && toDocument(new Uint8Array(content.bytes), content.executable)

const contentOf = (document: StoredDocument | undefined): Required<DocumentContent> | undefined =>
  document && { bytes: document.bytes, executable: document.executable ?? false }

const runMember = (path: string, { asked }: Member, present: Outcome & { readonly kind: 'made' }): Outcome => {
  try {
    const next = runChange(path, asked.change, copyOf(present.present))
    if (next === UNCHANGED) return present
    if (next === undefined) return { kind: 'made', present: next, isWritten: present.isWritten || present.present !== undefined }
    return { kind: 'made', present: { bytes: new Uint8Array(next.bytes), executable: next.executable }, isWritten: true }
  } catch (error) {
    if (error instanceof ChangeThrew) return { kind: 'threw', error }
    throw error
  }
}

/** The changes of the members as one, which does not throw. Members without an outcome have not run. */
const inOrder = (path: string, members: readonly Member[], clock: Clock): DocumentChange => {
  let count: number | undefined
  return (current) => {
    let present: Outcome & { readonly kind: 'made' } = { kind: 'made', present: contentOf(current), isWritten: false }
    const since = clock()
    for (const [index, member] of members.entries()) {
      // Whoever has run once runs again.
      if (index > 0 && (count === undefined ? clock() - since > MAX_BLOCKING_MS : index >= count)) break
      member.outcome = runMember(path, member, present)
      if (member.outcome.kind === 'made') present = member.outcome
    }
    count ??= members.filter(({ outcome }) => outcome).length
    return present.isWritten ? present.present : UNCHANGED
  }
}

/** A single update is made as it is. */
const gather = (path: string, members: readonly Member[], close: () => void, clock: Clock): DocumentChange => {
  let change: DocumentChange | undefined
  return (current) => {
    close()
    change ??= members.length === 1 ? members[0]?.asked.change : inOrder(path, members, clock)
    return change ? change(current) : UNCHANGED
  }
}

/** `ended`: how the group ended; throws what its update threw. */
const settle = (outcome: Outcome | undefined, ended: () => Updated): Updated => {
  if (outcome?.kind === 'threw') throw outcome.error
  if (outcome && !outcome.isWritten) return ok(copyOf(outcome.present))
  const updated = ended()
  return updated.ok && outcome ? ok(copyOf(outcome.present)) : updated
}

export interface Together {
  /** Names the document among all of the process, with the options of its back end. */
  readonly document: string
  readonly path: string
  /** Milliseconds that an update waits for the lock. */
  readonly timeoutMs: number
  /** Monotonic milliseconds. */
  readonly clock: Clock
  /** Makes one update under the lock. */
  readonly update: (asked: AskedUpdate) => Promise<Updated>
}

const lead = ({ document, path, clock, update }: Together, member: Member): Group => {
  const members = [member]
  let isOpen = true
  const close = () => {
    isOpen = false
    if (waiting.get(document)?.members === members) waiting.delete(document)
  }
  const together: AskedUpdate = {
    change: gather(path, members, close, clock),
    get isJoined() {
      return members.length > 1
    },
    get durable() {
      return members.some(({ asked: { durable = true } }) => durable)
    },
  }
  const done = update(together)
    .finally(close)
    .then(
      (updated) => () => updated,
      (error: unknown) => () => {
        throw error
      },
    )
  const group = { members, done }
  // An update that ends at once takes nobody with it.
  if (isOpen) waiting.set(document, group)
  return group
}

/** Whether a member that has not run has a try of its own: its group ran out of time, or waited for the lock since before it came. */
const hasAnotherTry = (ended: () => Updated, isOverdue: boolean): boolean => {
  const updated = ended()
  return updated.ok || (updated.error.code === 'locked' && !isOverdue)
}

/** Throws what `update` throws, and the `ChangeThrew` of this update alone. */
export const updateTogether = async (asked: AskedUpdate, together: Together): Promise<Updated> => {
  const { document, timeoutMs, clock } = together
  const member: Member = { asked }
  const until = clock() + timeoutMs
  for (let group = waiting.get(document); group; group = waiting.get(document)) {
    group.members.push(member)
    const ended = await group.done
    if (member.outcome || !hasAnotherTry(ended, clock() >= until)) return settle(member.outcome, ended)
  }
  const ended = await lead(together, member).done
  return settle(member.outcome, ended)
}
