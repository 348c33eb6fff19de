/**
 * The port of an index over what was said. The provider redacts, splits texts into terms and ranks; an index stores, finds candidates and forgets. So every index finds
 * the same, in any language.
 */
import type { Clock, HermesError } from '@hermes/core'
import type { OwnerId } from '@hermes/core/portability'
import type { ProviderForgetTarget } from '@hermes/core/provider'

/** One index serves all homes of a process. */
export interface RecallIndex {
  /** Opens the index of one home and creates it if there is none. What it returns never shows anything of another home. */
  open(home: RecallIndexHome): Promise<HomeRecallIndex>
}

export interface RecallIndexHome {
  /** Undefined if the storage is the home of a single person. */
  readonly owner?: OwnerId
  /** Unique for each owner and safe in a path; `''` for a single person. */
  readonly folder: string
  readonly clock: Clock
  /** The version of `termsOf`: an index that was made with another one is made anew from its items, in the background or at the first call. */
  readonly termsVersion: number
  /** The terms of an item, with repetitions: 1 to 64 characters, only letters, marks and digits, lower case. At most 20,000. Pure. */
  termsOf(item: RecallItem): readonly string[]
  /** Reports a problem that did not fail a call, such as a damaged file that was set aside. */
  report(problem: HermesError): void
}

/** A finished turn, an archived memory entry, or an archived skill. Texts are well formed, without credentials and without `\0`. */
export interface RecallItem {
  /** Unique in its home, for each kind; at most 512 characters. */
  readonly id: string
  readonly kind: 'turn' | 'entry' | 'skill'
  /** The session of a turn; the title of an archived item. At most 512 characters. */
  readonly source: string
  /** Of the session of a turn; absent without one, and for archived items. 1 to 200 characters. */
  readonly project?: string
  /** Epoch milliseconds. */
  readonly at: number
  /** True for a turn without a person. */
  readonly automated: boolean
  /** What the user said; `''` for an archived item. At most 100,000 characters. */
  readonly user: string
  /** What the agent answered, or the text of an archived item. At most 100,000 characters. */
  readonly answer: string
}

/** Times are epoch milliseconds: at or after `after`, and before `before`. */
export interface TimeSpan {
  readonly after?: number
  readonly before?: number
}

export interface ProjectScope {
  /** Only items of this project and of none; `''`: only those of none. Absent: all, for a person who searches by hand. */
  readonly project?: string
}

export interface IndexSearch extends TimeSpan, ProjectScope {
  /** Distinct; at most 64. An item with any of them is a candidate. */
  readonly terms: readonly string[]
  /** Maximum number of hits, 1 to 500. */
  readonly limit: number
  /** Only turns of this session. */
  readonly sessionId?: string
  /** No turns of this session. */
  readonly excludeSessionId?: string
}

export interface IndexHit extends RecallItem {
  /** BM25 or close to it: greater is better. Only the order of candidates depends on it: the provider computes its own. */
  readonly score: number
}

export interface IndexAnswer {
  /** The best first. An index may leave out terms that most items hold, in order to bound its work. */
  readonly hits: readonly IndexHit[]
  /** Number of items in the home. */
  readonly items: number
  /** For each term of the search, the number of items that hold it. May be a little out of date, but 0 only if no item holds it. */
  readonly frequencies: ReadonlyMap<string, number>
  /** Mean number of terms of an item. */
  readonly meanLength: number
}

/** A part of a session: `before` turns earlier than `at`, and `after` turns from then on. Together at most 200. */
export interface SessionWindow extends ProjectScope {
  readonly sessionId: string
  readonly at: number
  readonly before: number
  readonly after: number
}

export interface SessionSummary {
  readonly sessionId: string
  readonly project?: string
  readonly firstAt: number
  readonly lastAt: number
  readonly turns: number
  readonly automated: boolean
  /** The beginning of the first thing that the user said, at most 200 characters. */
  readonly opening: string
}

export interface IndexStats {
  readonly turns: number
  readonly sessions: number
  /** Archived entries and skills. */
  readonly archived: number
  /** Items with a vector. */
  readonly vectors: number
  /** Undefined if there is no turn. */
  readonly oldestAt?: number
  readonly newestAt?: number
  /** What the index of this home occupies; undefined if that cannot be told apart. */
  readonly bytes?: number
  /** Where it is, for people: a file or the name of a table. */
  readonly location: string
}

/**
 * Contract: nothing of another project is found than a search names. `add` has stored when it resolves, and survives a crash from then on. Any number of processes may use the index of one home. After `forget` of `all`, by any
 * process, nothing of the time before is found by any of them. Methods reject with an Error whose message says what to do. None holds the event loop for more than 50 ms.
 */
export interface HomeRecallIndex {
  /** Stores items whose ids are not known; an item with a known id changes nothing. Resolves to the number of new ones. */
  add(items: readonly RecallItem[]): Promise<number>
  /** Makes these the archived items: adds new ones, removes those that are no longer archived. */
  replaceArchived(items: readonly RecallItem[]): Promise<void>
  search(search: IndexSearch): Promise<IndexAnswer>
  /** In the order of time. */
  readSession(window: SessionWindow): Promise<readonly RecallItem[]>
  /** The latest first. `limit`: 1 to 200. `excludeSessionId` is left out. */
  recentSessions(
    search: TimeSpan & ProjectScope & { readonly limit: number; readonly excludeSessionId?: string },
  ): Promise<readonly SessionSummary[]>
  /** Erases (or with `dryRun` counts) items with a matching text, title or session; resolves to their number. `all` removes the whole index of the home. */
  forget(target: ProviderForgetTarget): Promise<number>
  /** Erases turns earlier than `before`; resolves to their number. */
  prune(before: number): Promise<number>
  stats(): Promise<IndexStats>
  /** Makes everything derived anew from the items, in pieces. Stops between two pieces if `signal` fires; searches go on meanwhile. */
  reindex(progress?: (done: number, of: number) => void, signal?: AbortSignal): Promise<void>
  /** What is wrong with the index, for people; empty if nothing. Reads all of it. */
  check(): Promise<readonly string[]>
  readonly vectors: VectorIndex
  /** Releases what `open` opened. No other call may follow. */
  close(): Promise<void>
}

export interface NearSearch extends Omit<IndexSearch, 'terms'> {
  /** Only these items; at most 500. */
  readonly among?: readonly Pick<RecallItem, 'id' | 'kind'>[]
}

/** Vectors of the passages of items, as an embedding model made them; they go with their items. */
export interface VectorIndex {
  /** Items that `set` was not called with for this model, the newest first. `limit`: 1 to 500. */
  missing(model: string, limit: number): Promise<readonly RecallItem[]>
  /**
   * Replaces the vectors of items that `missing` returned, all of one length; ids that are not known are ignored, and an item may have none. If the length is another
   * one than before, all items are missing again.
   */
  set(model: string, items: readonly (Pick<RecallItem, 'id' | 'kind'> & { readonly vectors: readonly Float32Array[] })[]): Promise<void>
  /** Items by the cosine similarity of their nearest vector, the best first; `score` is the similarity. Vectors of another model or length are not compared. */
  nearest(model: string, vector: Float32Array, search: NearSearch): Promise<readonly IndexHit[]>
}
