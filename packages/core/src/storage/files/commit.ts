/** The plans of updates that wait, run one after another in memory; what comes of it is one record of the log. */
import { HermesError } from '../../shared/hermes-error.ts'
import { pause } from '../../shared/pause.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { type NamedPaths, UNREAD } from '../cut.ts'
import { foldersOf } from '../document-tree.ts'
import { type CheckedPlan, conflictOf, tryPlan } from '../plan.ts'
import { isMoved, placeBefore } from '../staged.ts'
import type { Cut, Plan, StoredDocument } from '../storage-backend.ts'
import { statusAt } from './disk.ts'
import { type Found, type FoundDocuments, isSameFile, isStillThere } from './documents.ts'
import type { Home } from './home.ts'
import { listDocuments, toStored } from './list-documents.ts'
import { type Change, EMPTY, followedBy, join, type LogRecord, type Move, markOf, prepareChecksum } from './log-record.ts'
import { isOnlyOurs, refuseOwnFiles, SHARED_DOCUMENTS } from './names.ts'
import { isEmptyTree } from './rename.ts'
import { ThrownByPlan } from './waiting-update.ts'

const CHANGES_BETWEEN_PAUSES = 256

const sameFile = (path: string, other: string): HermesError =>
  new HermesError('invalid_path', `'${path}' and '${other}' are the same file, by a link. Change it as '${other}'. Nothing was written.`)

const inTheWay = (path: string): HermesError =>
  new HermesError(
    'occupied',
    `The folder '${path}' holds files that are no documents. Check what they are and move them away. Nothing was written.`,
    { details: { path } },
  )

const orThrownByPlan = <T>(plan: () => T): T => {
  try {
    return plan()
  } catch (cause) {
    throw new ThrownByPlan(cause)
  }
}

export class Commit {
  readonly #home: Home
  readonly #found: FoundDocuments
  /** By path: what is to be changed as it was found, and how. */
  readonly #bases = new Map<string, Found>()
  readonly #changes = new Map<string, Change>()
  #moves: readonly Move[] = []
  /** It holds what can be in no record with anything else. */
  #isFull = false

  constructor(home: Home, found: FoundDocuments) {
    this.#home = home
    this.#found = found
  }

  get isEmpty(): boolean {
    return this.#changes.size + this.#moves.length === 0
  }

  get hasMoves(): boolean {
    return this.#moves.length > 0
  }

  /** Runs the plan, again once it has asked for documents that were not read. `later`: a plan before it has changed one of these. */
  async #plan<T>(named: NamedPaths, plan: (cut: Cut) => Plan<T>): Promise<Result<CheckedPlan<T>> | 'later'> {
    const { infos } = await listDocuments(this.#home, named.folders, { isHeld: true })
    for (;;) {
      const documents = new Map<string, StoredDocument | HermesError | typeof UNREAD>()
      await this.#home.inParts(named.documents, async (path) => {
        const found = await this.#found.find(path)
        const isUnread = found.kind === 'document' && !found.bytes
        const document = isUnread ? undefined : await toStored(this.#home, path, found)
        if (isUnread) documents.set(path, UNREAD)
        // The plan gets bytes of its own: later updates are planned on what was found.
        else if (document)
          documents.set(path, document instanceof Error ? document : { ...document, bytes: new Uint8Array(document.bytes) })
      })
      const planned = orThrownByPlan(() => tryPlan(named, { documents, infos }, plan))
      if (!('wanted' in planned)) return planned
      if (planned.wanted.some((path) => this.#changes.has(path))) return 'later'
      await Promise.all(planned.wanted.map((path) => this.#found.findWhole(path).finally(() => this.#home.noteProgress())))
    }
  }

  /**
   * Runs a plan on what the plans before it left. `later`: it needs a commit of its own, or one behind theirs. Throws a `ThrownByPlan`, HermesErrors and
   * the system's errors; nothing of it is done then.
   */
  async run<T>(named: NamedPaths, plan: (cut: Cut) => Plan<T>): Promise<Result<T> | 'later'> {
    if (this.#isFull || (named.folders.length > 0 && !this.isEmpty) || (await this.#mustWait(named.documents))) return 'later'
    const planned = await this.#plan(named, plan)
    if (planned === 'later' || !planned.ok) return planned
    return this.#add(planned.value)
  }

  /** A file with several names is in a commit of its own, or its other names would not show what is about to be written. */
  async #mustWait(paths: Iterable<string>): Promise<boolean> {
    const found = this.isEmpty ? [] : await Promise.all([...paths].map((path) => this.#found.find(path)))
    return found.some(isAliased)
  }

  async #add<T>(planned: CheckedPlan<T>): Promise<Result<T> | 'later'> {
    const { moves, puts, appends } = planned
    if (moves.length > 0 && !this.isEmpty) return 'later'
    const paths = [...new Set([...puts.keys(), ...appends.keys()])]
    const above = new Set([...this.#changes.keys()].flatMap(foldersOf))
    const nests = (path: string) => above.has(path) || foldersOf(path).some((folder) => this.#changes.has(folder))
    const growsAlready = (path: string) => puts.has(path) && this.#changes.get(path)?.offset !== undefined
    if (paths.some((path) => nests(path) || growsAlready(path)) || (await this.#mustWait(paths))) return 'later'
    const own = refuseOwnFiles([...moves.flat(), ...paths])
    if (!own.ok) return own
    const bases = new Map(await this.#home.inParts(paths, async (path) => [path, await this.#baseOf(path, planned)] as const))
    for (const base of bases.values()) if (base.kind === 'fault') return err(base.error)
    // For the marks of what is replaced.
    await prepareChecksum([...bases.values()].reduce((sum, each) => sum + (each.kind === 'document' ? each.size : 0), 0))
    const otherName = await this.#findOtherName(bases)
    if (otherName) return otherName
    const conflict = conflictOf(await this.#inTheWay(planned, bases), planned)
    if (conflict) return err(conflict)
    const located = await this.#locate(moves)
    if (!located.ok) return located
    this.#moves = located.value
    this.#isFull = moves.length > 0 || [...bases.values()].some(isAliased)
    let count = 0
    for (const [path, base] of bases) {
      this.#change(path, base, planned)
      if (++count % CHANGES_BETWEEN_PAUSES === 0) await pause()
    }
    return ok(planned.value)
  }

  /** One file is changed by one name, and one that Python locks by the name that it locks. */
  async #findOtherName(bases: ReadonlyMap<string, Found>): Promise<Result<never> | undefined> {
    for (const [path, base] of bases) {
      if (!isAliased(base)) continue
      const others = new Map(bases)
      for (const shared of SHARED_DOCUMENTS.includes(path) ? [] : SHARED_DOCUMENTS) others.set(shared, await this.#found.find(shared))
      const other = [...others].find(([each, found]) => each !== path && isSameFile(found, base))
      if (other) return err(sameFile(path, other[0]))
    }
    return undefined
  }

  /** What is at a path once everything has moved. */
  async #baseOf(path: string, { moves, puts }: CheckedPlan<unknown>): Promise<Found> {
    const place = placeBefore(moves, path)
    const isVacated = place === path && isMoved(moves, path)
    if (isVacated) return { kind: 'none', file: await this.#home.fileOf(path), isAliased: false }
    return puts.has(path) || SHARED_DOCUMENTS.includes(path) ? this.#found.findWhole(place) : this.#found.find(place)
  }

  /** The error is that of the first that cannot be moved; if there are more, its cause has them all, so that a caller can leave them out at once. */
  async #locate(moves: CheckedPlan<unknown>['moves']): Promise<Result<readonly Move[]>> {
    const located: Move[] = []
    const errors: HermesError[] = []
    const found = await this.#home.inParts(moves, async (each) => [...each, await statusAt(await this.#home.fileOf(each[0]))] as const)
    for (const [from, to, status] of found) {
      if (status?.isSymbolicLink()) {
        const message = `'${from}' is a symbolic link. Move what it leads to. Nothing was written.`
        errors.push(new HermesError('invalid_path', message, { details: { path: from } }))
      } else located.push([from, to, String(status?.ino)])
    }
    const [first] = errors
    if (!first) return ok(located)
    if (errors.length === 1) return err(first)
    return err(new HermesError(first.code, first.message, { details: first.details, cause: new AggregateError(errors) }))
  }

  /** The paths of documents that may be in the way of a plan, or be moved by it. */
  async #inTheWay({ moves }: CheckedPlan<unknown>, bases: ReadonlyMap<string, Found>): Promise<ReadonlySet<string>> {
    const all = new Set<string>()
    const folders: string[] = []
    const add = (path: string, found: Found) => {
      if (found.kind === 'fault') throw found.error
      if (found.kind === 'document') all.add(path)
      if (found.kind === 'folder') folders.push(path)
      if (found.kind === 'none' && found.under !== undefined) all.add(found.under)
    }
    for (const [path, base] of bases) add(placeBefore(moves, path), base)
    await this.#home.inParts(moves.flat(), async (path) => add(path, await this.#found.find(path)))
    const listed = await listDocuments(this.#home, folders, { isHeld: true })
    for (const { path } of listed.infos) all.add(path)
    const occupied = new Set(listed.infos.flatMap(({ path }) => foldersOf(path)))
    for (const folder of folders)
      if (!occupied.has(folder) && !(await isEmptyTree(await this.#home.folderAt(folder)))) throw inTheWay(folder)
    return all
  }

  #change(path: string, base: Found, { puts, appends }: CheckedPlan<unknown>): void {
    const there = base.kind === 'document' ? base : undefined
    const whole = puts.get(path)
    const added = new Uint8Array(appends.get(path) ?? EMPTY)
    if (whole === null && !there) return
    const isWhole = whole !== undefined || !there || SHARED_DOCUMENTS.includes(path)
    const bytes = whole === undefined ? (isWhole ? join(there?.bytes ?? EMPTY, added) : added) : whole && new Uint8Array(whole.bytes)
    const executable = whole?.executable ?? there?.executable ?? false
    const before = SHARED_DOCUMENTS.includes(path) ? there?.bytes : undefined
    const next: Change = isWhole
      ? { path, bytes, executable, old: there?.bytes && markOf(there.bytes), before }
      : { path, bytes, executable, offset: there.size }
    this.#changes.set(path, followedBy(this.#changes.get(path), next))
    if (!this.#bases.has(path)) this.#bases.set(path, base)
    if (base.kind !== 'fault') this.#found.set(path, foundAfter(base, next))
  }

  /** False if a program that takes no lock has changed a document since the plans saw it. Before a move, some are elsewhere. */
  async isUpToDate(): Promise<boolean> {
    // A claim creates a document of ours without the lock.
    const mayChange = ([path, base]: readonly [string, Found]) =>
      !isOnlyOurs(path) || (base.kind === 'none' && path.startsWith('sessions/'))
    const watched = this.hasMoves ? [] : [...this.#bases].filter(mayChange)
    return !(await Promise.all(watched.map(([, base]) => isStillThere(base)))).includes(false)
  }

  /** After it was carried out: what a later one finds. `identities`: of the new files, by path. */
  async remember(identities: ReadonlyMap<string, string>): Promise<void> {
    const isSame = ([path, base]: readonly [string, Found]) => base.kind === 'document' && this.#changes.get(path)?.bytes !== null
    // Folders have come or gone, or files have other names.
    if (this.#isFull || ![...this.#bases].every(isSame)) return this.#found.clear()
    for (const path of this.#bases.keys()) {
      const found = await this.#found.find(path)
      const identity = identities.get(path)
      if (found.kind === 'document' && identity !== undefined) this.#found.set(path, { ...found, stamp: `${identity}:${found.size}` })
    }
  }

  /** By path: what is changed, as it was found. */
  get bases(): ReadonlyMap<string, Found> {
    return this.#bases
  }

  /** What the plans do together. */
  toRecord(number: number): LogRecord {
    return { number, tag: this.#home.tag, moves: this.#moves, changes: [...this.#changes.values()] }
  }
}

const isAliased = (found: Found): boolean => (found.kind === 'document' || found.kind === 'none') && found.isAliased

const foundAfter = (base: Exclude<Found, { kind: 'fault' }>, { bytes, offset, executable }: Change): Found => {
  const { file } = base
  const there = base.kind === 'document' ? base : undefined
  const isAliased = base.kind !== 'folder' && base.isAliased
  if (!bytes) return { kind: 'none', file, isAliased }
  const size = (offset ?? 0) + bytes.length
  const whole = offset === undefined ? bytes : there?.bytes && join(there.bytes, bytes)
  // Until it is in its place, its stamp is that of its beginning.
  const identity = there?.stamp.split(':', 2).join(':') ?? ''
  return { kind: 'document', file, isAliased, size, executable, bytes: whole, stamp: `${identity}:${size}` }
}
