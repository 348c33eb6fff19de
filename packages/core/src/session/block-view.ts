/**
 * The frozen text of the next session, kept beside a stamp of what it was made from: a start that finds the same stamp takes the text and loads no rules. Anything
 * that cannot be read, or that the stamp does not name, is rendered as if there were no such text.
 */
import { targetsOf } from '../memory/memory-op.ts'
import { blockViewPath, memoryPathsOf } from '../memory/memory-paths.ts'
import type { MemoryStore } from '../memory/memory-store.ts'
import { fingerprint } from '../shared/fingerprint.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { isData, parseJson } from '../shared/json-texts.ts'
import { LIBRARY_BUILD } from '../shared/library-build.ts'
import { guardedBackend } from '../storage/guarded-backend.ts'
import { orError } from '../storage/one-document.ts'
import type { Cut, DocumentInfo, StorageBackend } from '../storage/storage-backend.ts'
import { FACTS_PATH, MEMORY_FOLDER, MEMORY_PATHS, SKILL_FILE, SKILLS_FOLDER, USAGE_PATH } from '../storage/storage-paths.ts'
import type { SessionHome } from './session-home.ts'
import { withinLimit } from './within-limit.ts'

interface MemoryDocuments {
  readonly folders: readonly string[]
  readonly files: readonly string[]
}

const memoryDocuments = (memory: BlockViewOptions['memory']): MemoryDocuments => {
  const all = targetsOf(memory).map((target) => memoryPathsOf(target, memory.project))
  return {
    folders: [...new Set(all.map(({ folder }) => folder))],
    files: [...new Set([...all.map(({ file }) => file), ...all.map(({ facts }) => facts)])],
  }
}

/** Bytes of a kept text: taking the sum of a larger one would hold the event loop. */
const MOST_BYTES = 256 * 1024

/** By which the catalogue of skills and the notes of a team can change. */
const SOURCES: readonly string[] = [USAGE_PATH, MEMORY_PATHS.memory, FACTS_PATH]

const isSource = ({ path, unreadable }: DocumentInfo): boolean =>
  path.endsWith(`/${SKILL_FILE}`) || SOURCES.includes(path) || unreadable !== undefined

/**
 * Device and number of a file, its size and times. Other storages count writes, and such a count can come with a storage that somebody else has prepared. A time of
 * change without digits below 10 ms is refused: on such a file system (FAT, ext3) two writes of one length look like one, and a copied disk can bring it along.
 */
const NAMES_FILE = /^(?:\d+:){4}\d*[1-9]\d{0,6}$/

/** Undefined if one of them is not known by the very file that it is. */
const filesStamp = (infos: readonly DocumentInfo[]): string | undefined =>
  infos.every(({ stamp }) => NAMES_FILE.test(stamp))
    ? infos.map(({ path, size, stamp }) => `${path} ${size} ${stamp}`).join('\n')
    : undefined

const sourcesStamp = (listed: readonly DocumentInfo[]): string | undefined => filesStamp(listed.filter(isSource))

/**
 * The stamps of the listing name the file itself, so that a text which came with a copied or prepared home is not taken: undefined without any file, or for a
 * document that cannot be read.
 */
const memoryStamp = (cut: Cut, { folders, files }: MemoryDocuments): string | undefined => {
  const listed = folders.flatMap((folder) => cut.list(folder)).filter(({ path }) => files.includes(path))
  return listed.length === 0 || listed.some(({ unreadable }) => unreadable !== undefined) ? undefined : filesStamp(listed)
}

export interface BlockViewOptions {
  readonly memory: Pick<MemoryStore, 'project' | 'profile' | 'isEnabled' | 'charLimit' | 'maxBlockChars' | 'timeZone'>
  /** See `BlockOptions`. */
  readonly maxChars?: number | undefined
  /** The name under which the agent calls this tool; undefined if it is not offered. Asked as late as possible. */
  readonly toolName: (tool: string) => string | undefined
  /** Time limit in milliseconds for listing what is shared. */
  readonly limitMs: number
}

/** `oldAt`: epoch milliseconds from which the same documents give another text. */
export interface TextToKeep {
  readonly text: string
  readonly oldAt?: number | undefined
}

/** Homes whose last start took the stored text, so that the next one most likely does too. */
const taking = new WeakSet<object>()

export class BlockView {
  /** False: `paths` leaves out the documents of which the text is rendered. */
  readonly namesSources: boolean
  readonly #home: Pick<SessionHome, 'skills' | 'provider' | 'clock' | 'sharedMemory'>
  readonly #options: BlockViewOptions
  readonly #documents: MemoryDocuments
  #found: { readonly stamp: string; readonly shared: string } | undefined

  constructor(home: Pick<SessionHome, 'skills' | 'provider' | 'clock' | 'sharedMemory'>, options: BlockViewOptions) {
    this.namesSources = !taking.has(home)
    this.#home = home
    this.#options = options
    this.#documents = memoryDocuments(options.memory)
  }

  /** Where the text is kept: one for each project. */
  get #path(): string {
    return blockViewPath(this.#options.memory.project)
  }

  /** What the stamp is made of, and where the text is kept. */
  get #stamped(): readonly string[] {
    return [this.#path, ...this.#documents.folders.map((folder) => `${folder}/`), ...(this.#home.skills ? [`${SKILLS_FOLDER}/`] : [])]
  }

  /** What a cut has to name for `find`, and with `namesSources` for rendering the text from it. */
  get paths(): readonly string[] {
    return this.namesSources ? [...this.#stamped, ...this.#documents.files, ...(this.#home.skills ? [USAGE_PATH] : [])] : this.#stamped
  }

  /** The stored text, if it was made from what this cut shows. Never throws. */
  async find(cut: Cut): Promise<string | undefined> {
    const shared = await this.#sharedStamp()
    // What of a profile is shown depends on its schema, of which there is no stamp.
    const stamp = shared === undefined || this.#options.memory.profile ? undefined : this.#stampOf(cut, shared)
    this.#found = shared === undefined || stamp === undefined ? undefined : { stamp, shared }
    const text = stamp === undefined ? undefined : storedText(cut, this.#path, stamp, (old) => this.#isOld(old))
    if (text === undefined) taking.delete(this.#home)
    else taking.add(this.#home)
    return text
  }

  /** Keeps a text that was rendered after `find`, unless anything it was made from has changed since: what was erased must not come back. A failure costs only time. */
  async keep(storage: StorageBackend, { text, oldAt }: TextToKeep): Promise<void> {
    if (!this.#found) return
    const { stamp, shared } = this.#found
    const old = oldAt === undefined ? {} : { oldAt, timeZone: this.#options.memory.timeZone }
    const bytes = new TextEncoder().encode(JSON.stringify({ version: 1, stamp, ...old, sum: fingerprint(text), text }))
    if (bytes.length > MOST_BYTES) return
    const plan = (cut: Cut) => ({
      ...(this.#stampOf(cut, shared) === stamp ? { put: { [this.#path]: bytes } } : {}),
      value: undefined,
    })
    await orError(() => storage.update(this.#stamped, plan, { durable: false }))
  }

  /** True once an entry begins or ceases to hold, and if the days are those of another place than they were. */
  #isOld({ oldAt, timeZone }: Readonly<Record<string, unknown>>): boolean {
    return oldAt !== undefined && !(typeof oldAt === 'number' && this.#home.clock() < oldAt && timeZone === this.#options.memory.timeZone)
  }

  /** Everything but documents. */
  #termsStamp(): string {
    const { memory, maxChars, toolName } = this.#options
    const { skills, provider, sharedMemory } = this.#home
    const stores = targetsOf({ project: memory.project }).map((target) => [memory.isEnabled(target), memory.charLimit(target)])
    const catalog = skills && [skills.catalog.charLimit, skills.catalog.stale, toolName('skill_view'), toolName('skills_list')]
    return JSON.stringify([
      LIBRARY_BUILD,
      memory.project ?? null,
      maxChars ?? null,
      stores,
      memory.maxBlockChars,
      catalog ?? null,
      [sharedMemory?.sharedCharLimit, sharedMemory?.trustShared],
      provider?.promptBlock(memory.project) ?? '',
    ])
  }

  #stampOf(cut: Cut, shared: string): string | undefined {
    try {
      const memory = memoryStamp(cut, this.#documents)
      const skills = this.#home.skills ? sourcesStamp(cut.list(SKILLS_FOLDER)) : ''
      if (memory === undefined || skills === undefined) return undefined
      return [this.#termsStamp(), memory, skills, shared].map((part) => `${part.length}-${fingerprint(part)}`).join(' ')
    } catch (cause) {
      if (HermesError.isInstance(cause)) return undefined
      throw cause
    }
  }

  /** Undefined if a shared storage could not be listed in time, or is not made of files. */
  async #sharedStamp(): Promise<string | undefined> {
    const { skills, sharedMemory } = this.#home
    const listing = (folder: string) => (storage: StorageBackend) => guardedBackend(storage).list(folder)
    const all = [...(skills?.shared ?? []).map(listing(SKILLS_FOLDER)), ...(sharedMemory?.shared ?? []).map(listing(MEMORY_FOLDER))]
    if (all.length === 0) return ''
    const listed = await withinLimit(Promise.all(all), this.#options.limitMs)
    const parts = listed?.map((each) => (each.ok ? sourcesStamp(each.value) : undefined)) ?? [undefined]
    return parts.includes(undefined) ? undefined : JSON.stringify(parts)
  }
}

/** A view that the library cannot have written, or whose end is missing, counts as none. */
const storedText = (
  cut: Cut,
  path: string,
  wanted: string,
  isOld: (view: Readonly<Record<string, unknown>>) => boolean,
): string | undefined => {
  let bytes: Uint8Array | undefined
  try {
    bytes = cut.document(path)?.bytes
  } catch {
    return undefined
  }
  if (!bytes || bytes.length > MOST_BYTES) return undefined
  const view = parseJson(new TextDecoder().decode(bytes))
  if (!isData(view)) return undefined
  const { version, stamp, sum, text } = view
  return version === 1 && stamp === wanted && typeof text === 'string' && sum === fingerprint(text) && !isOld(view) ? text : undefined
}
