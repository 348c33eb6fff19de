/**
 * The session record: what another process needs to continue with the same bytes and the same counts (DESIGN 3). A process makes its changes to the record as it
 * is in the update that saves them, so that two processes of one session both count.
 */

import { OUTSIDE_HEADING } from '../memory/outside-heading.ts'
import type { SavedCounts } from '../nudge/review-state.ts'
import { fingerprint } from '../shared/fingerprint.ts'
import { SESSIONS_FOLDER } from '../storage/storage-paths.ts'
import { boundRecalled, type RecalledTurn } from './recalled-turns.ts'
import type { FailedUse, Proof, SessionRecord } from './session-record-schema.ts'
import { MAX_FINISHED } from './turn.ts'

export type { Proof, SessionRecord } from './session-record-schema.ts'

/** Entries from outside are in sight from the first turn on. */
const showsOutsideEntries = (block: string): boolean => block.includes(OUTSIDE_HEADING)

/** What the frozen text is made for. */
export interface BlockTerms {
  readonly project?: string | undefined
  /** See `BlockOptions`. */
  readonly maxChars?: number | undefined
}

export const newSessionRecord = (id: string, block: string, at: number, { project, maxChars }: BlockTerms = {}): SessionRecord => ({
  version: 1,
  id,
  ...(project === undefined ? {} : { project }),
  ...(maxChars === undefined ? {} : { maxChars }),
  createdAt: at,
  updatedAt: at,
  block,
  tainted: showsOutsideEntries(block),
  userTurns: 0,
  iterations: 0,
  turnOpen: false,
  unread: [],
})

/** A change that a process makes to its copy of the record at once, and, when it saves, to the record as it is stored then. */
export interface RecordChange {
  readonly turns?: number
  readonly iterations?: number
  /** Turns from before the session began; they count once, whichever process reports them. */
  readonly earlierTurns?: number
  /** Of turns that are finished, if their message has an id. */
  readonly finishedKeys?: readonly string[]
  readonly loadedSkill?: string
  /** What the open turn has loaded is added, and removed once that is counted, or no longer counts. */
  readonly loadedInTurn?: { readonly add: string } | { readonly remove: readonly string[] }
  /** Of the newest turn, as the record counts it. */
  readonly failedUses?: readonly Omit<FailedUse, 'turn'>[]
  readonly recalled?: RecalledTurn
  /** Text from outside is in sight, whether or not a turn shows it. */
  readonly tainted?: true
  readonly proof?: Proof | undefined
  /** Replaces the frozen text. */
  readonly block?: string
  /** Set if the replaced text was in a prompt; epoch milliseconds. */
  readonly blockChangedAt?: number | undefined
  readonly redact?: (record: SessionRecord) => SessionRecord
}

/** A text that was in a prompt is another one now. */
export const noteBlockChange = ({ changed, userTurns }: SessionRecord, at: number): Pick<SessionRecord, 'changed'> => ({
  changed: { times: (changed?.times ?? 0) + 1, at, turns: userTurns },
})

/** Maximum number of failed uses in a record; the oldest are dropped first. */
const MAX_FAILED_USES = 20
/** Maximum number of loaded skill names in a record; the least recently loaded are dropped first. */
const MAX_LOADED_SKILLS = 20
/** Maximum number of digests of each kind; of older messages nothing is proven. */
const MAX_DIGESTS = 400
const MAX_RESULTS = 100

/** Keeps the newest, each once. */
const join = <T>(first: readonly T[] = [], then: readonly T[], most: number, keyOf: (item: T) => unknown): readonly T[] => {
  const keys = new Set(then.map(keyOf))
  return [...first.filter((item) => !keys.has(keyOf(item))), ...then].slice(-most)
}

const itself = (text: string) => text

const joinProofs = (first: Proof | undefined, { said, answered, results }: Proof): Proof => ({
  said: join(first?.said, said, MAX_DIGESTS, itself),
  answered: join(first?.answered, answered, MAX_DIGESTS, itself),
  results: join(first?.results, results, MAX_RESULTS, ({ digest }) => digest),
})

const changeLoaded = (loaded: readonly string[] = [], change: NonNullable<RecordChange['loadedInTurn']>): readonly string[] =>
  'add' in change ? join(loaded, [change.add], MAX_LOADED_SKILLS, itself) : loaded.filter((name) => !change.remove.includes(name))

export const changeRecord = (record: SessionRecord, change: RecordChange): SessionRecord => {
  const {
    turns = 0,
    iterations = 0,
    earlierTurns = 0,
    finishedKeys = [],
    loadedSkill,
    loadedInTurn,
    failedUses,
    recalled,
    tainted,
    proof,
    block,
    blockChangedAt,
    redact,
  } = change
  const userTurns = record.userTurns + turns + (record.userTurns === 0 ? earlierTurns : 0)
  const failed = failedUses?.map((use) => ({ ...use, turn: userTurns }))
  const changed: SessionRecord = {
    ...record,
    block: block ?? record.block,
    ...(blockChangedAt === undefined ? {} : noteBlockChange(record, blockChangedAt)),
    tainted: record.tainted || tainted === true || (block !== undefined && showsOutsideEntries(block)),
    userTurns,
    iterations: record.iterations + iterations,
    ...(finishedKeys.length > 0 ? { finishedKeys: join(record.finishedKeys, finishedKeys, MAX_FINISHED, itself) } : {}),
    ...(loadedSkill === undefined ? {} : { loadedSkills: join(record.loadedSkills, [loadedSkill], MAX_LOADED_SKILLS, itself) }),
    ...(loadedInTurn ? { loadedInTurn: changeLoaded(record.loadedInTurn, loadedInTurn) } : {}),
    ...(failed ? { failedUses: join(record.failedUses, failed, MAX_FAILED_USES, ({ skill, turn }) => `${turn} ${skill}`) } : {}),
    ...(recalled ? { recalled: boundRecalled([...(record.recalled ?? []), recalled]) } : {}),
    ...(proof ? { proof: joinProofs(record.proof, proof) } : {}),
  }
  return redact ? redact(changed) : changed
}

/** Without what calls did, which after the turn is in the text that a review reads, and goes with it. */
export const withoutCalls = (record: SessionRecord): SessionRecord =>
  record.proof
    ? { ...record, proof: { ...record.proof, results: record.proof.results.map(({ digest }) => ({ digest, did: '' })) } }
    : record

/** What the home keeps of a session. Turns before the first whose text is kept were reviewed, or are too old to be. */
export const countsOf = ({ id, createdAt, userTurns, iterations, updatedAt, unread }: SessionRecord): SavedCounts => {
  const [first] = unread
  return {
    id,
    createdAt,
    turns: userTurns,
    iterations,
    updatedAt,
    reviewed: { turns: first ? first.number - 1 : userTurns, iterations: userTurns === 0 ? 0 : iterations },
    kept: unread.length,
  }
}

const MAX_READABLE = 100

/**
 * `sessions/<id>.json`. Every byte except a-z, 0-9, `_` and `-` is written as `~xx`, so that no two ids collide on a file system that ignores case and no id
 * leaves the folder. A long name is cut and ends in a fingerprint of the id.
 */
export const sessionPath = (id: string): string => {
  const readable = Array.from(new TextEncoder().encode(id), (byte) => {
    const char = String.fromCharCode(byte)
    return /[a-z0-9_-]/.test(char) ? char : `~${byte.toString(16).padStart(2, '0')}`
  }).join('')
  const name =
    readable.length <= MAX_READABLE ? readable : `${readable.slice(0, MAX_READABLE - 20)}~-${fingerprint(id)}${fingerprint(`${id}\n`)}`
  return `${SESSIONS_FOLDER}/${name}.json`
}

export const UNREADABLE_FOLDER = `${SESSIONS_FOLDER}/.unreadable`

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Path of an unreadable copy. `path`: of the record. `at`: epoch milliseconds. */
export const unreadableCopy = (path: string, at: number): string => `${UNREADABLE_FOLDER}/${at}-${nameOf(path)}`

/** The document name and the time (epoch milliseconds) of an unreadable copy; undefined for any other name. */
export const readCopyName = (copy: string): { readonly name: string; readonly at: number } | undefined => {
  const [, at, name] = /^(\d+)-(.+)$/.exec(nameOf(copy)) ?? []
  return copy.startsWith(`${UNREADABLE_FOLDER}/`) && at !== undefined && name !== undefined ? { name, at: Number(at) } : undefined
}

/** True if `copy` is an unreadable copy of the session record at `path`. */
const isCopyOf = (copy: string, path: string): boolean => readCopyName(copy)?.name === nameOf(path)

/** True if a document is the record of a session or an unreadable copy of it. */
export const isOfSession = (path: string, id: string): boolean => path === sessionPath(id) || isCopyOf(path, sessionPath(id))
