/** Notes that a team shares: the MEMORY.md of other storages, which are only read. They have a section of their own in the frozen text, apart from what the home remembers. */
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { guardedBackend, type ReadInTime } from '../storage/guarded-backend.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { createMemoryScan } from '../threats/scan.ts'
import { dayIn, isAhead, isOver, nextChange, timeOf } from './entry-time.ts'
import { factsOf, NO_FACTS } from './facts.ts'
import { prepareBlock, type RenderBlock } from './memory-block.ts'
import { knownTextsOf, MemoryFiles, NOTHING_STORED } from './memory-files.ts'
import type { EntryFacts, EntryTime } from './memory-op.ts'
import { memoryPathsOf } from './memory-paths.ts'

/** The notes of other storages, and how a session shows them. */
export interface SharedMemory {
  readonly shared: readonly StorageBackend[]
  /** Maximum code points of the section, its heading included; 0 = not shown. */
  readonly sharedCharLimit: number
  /** True: the host vouches for them, so they are no text from outside. They never have the user's authority. */
  readonly trustShared: boolean
}

/** What a team shares, as its file has it. */
export interface SharedNote extends EntryTime {
  readonly content: string
  /** Position in `memory.shared` of the storage that holds it. */
  readonly sharedFrom: number
}

export interface SharedNotes {
  readonly notes: readonly SharedNote[]
  /** One for each storage that could not be read, with `details.sharedFrom`. */
  readonly problems: readonly HermesError[]
}

interface Layer {
  readonly sharedFrom: number
  readonly facts: Result<readonly EntryFacts[]>
}

const failureOf = (sharedFrom: number, cause: HermesError): HermesError =>
  new HermesError('unreadable', `The shared notes of memory.shared[${sharedFrom}] cannot be read, so they are left out: ${cause.message}`, {
    cause,
    details: { sharedFrom },
  })

const PATHS = memoryPathsOf('memory', undefined)

/** Bytes of each file, since it is not known who writes them: far more than any limit of characters shows, and soon read. */
const MOST_BYTES = 256 * 1024

const readLayer = async (backend: StorageBackend): Promise<Result<readonly EntryFacts[]>> => {
  const storage = guardedBackend(backend)
  const files = new MemoryFiles(storage, knownTextsOf(backend), undefined)
  // The folder is listed, since a file in a folder that does not exist would count as empty.
  const cut = await storage.read([PATHS.file, PATHS.facts, `${PATHS.folder}/`])
  if (!cut.ok) return cut
  const large = cut.value.list(PATHS.folder).find(({ path, size }) => [PATHS.file, PATHS.facts].includes(path) && size > MOST_BYTES)
  if (large) {
    const message = `'${large.path}' has ${large.size} bytes, more than the ${MOST_BYTES} that are read. Keep only what the whole team has to know.`
    return err(new HermesError('over_limit', message))
  }
  const { document, facts } = (await files.read(['memory'], cut.value)).get('memory') ?? NOTHING_STORED
  if (!document.ok) return document
  const { entries } = document.value
  // If it is not known whose words they are, they are somebody's.
  return ok(factsOf(facts.ok ? facts : ok(NO_FACTS), 'memory', entries))
}

const readLayers = (storages: readonly StorageBackend[], inTime: ReadInTime): Promise<readonly Layer[]> =>
  Promise.all(
    storages.map(async (storage, sharedFrom): Promise<Layer> => {
      const read = await inTime(readLayer(storage).catch((cause: unknown) => err(new HermesError('io', String(cause), { cause }))))
      if (read?.ok) return { sharedFrom, facts: read }
      // A storage of the host may answer anything.
      const problem = HermesError.isInstance(read?.error) ? read.error : new HermesError('io', 'it gave no answer that can be read')
      return { sharedFrom, facts: err(failureOf(sharedFrom, read ? problem : new HermesError('timeout', 'it did not answer in time'))) }
    }),
  )

const problemsOf = (layers: readonly Layer[]): readonly HermesError[] => layers.flatMap(({ facts }) => (facts.ok ? [] : [facts.error]))

/** In the order of the storages and of their files. */
export const readSharedNotes = async (storages: readonly StorageBackend[], inTime: ReadInTime): Promise<SharedNotes> => {
  const layers = await readLayers(storages, inTime)
  const notes = layers.flatMap(({ sharedFrom, facts }) =>
    facts.ok ? facts.value.map((each): SharedNote => ({ content: each.entry, sharedFrom, ...timeOf(each) })) : [],
  )
  return { notes, problems: problemsOf(layers) }
}

const NAMES = { title: 'TEAM NOTES (shared by the team, read only)', file: 'the shared MEMORY.md' }

export interface SharedSection {
  readonly render: RenderBlock
  readonly problems: readonly HermesError[]
  /** Epoch milliseconds from which the same files give another section. */
  readonly oldAt: number | undefined
}

/** `zone`: asked for only if a note has days. */
export const readSharedSection = async (
  { shared, sharedCharLimit: charLimit, trustShared }: SharedMemory,
  { clock, zone, inTime }: { readonly clock: Clock; readonly zone: () => string; readonly inTime: ReadInTime },
): Promise<SharedSection> => {
  const layers = await readLayers(shared, inTime)
  const now = clock()
  const today = () => dayIn(zone(), now)
  const all = layers.flatMap(({ facts }) => (facts.ok ? facts.value : []))
  const shown = new Map<string, EntryFacts>()
  for (const each of all) {
    const { entry, origin } = each
    if (isOver(each, today) || isAhead(each, today) || shown.has(entry)) continue
    // In the place of a person's own hand, so that the order of the file decides.
    shown.set(entry, { ...each, origin: trustShared && origin !== 'tool' ? 'external' : 'tool', lastConfirmedAt: 0 })
  }
  const store = { target: 'memory' as const, facts: [...shown.values()], charLimit, scan: createMemoryScan(), names: NAMES }
  const render = await prepareBlock(store, charLimit)
  return {
    render: (maxChars) => render(Math.min(maxChars, charLimit)),
    problems: problemsOf(layers),
    oldAt: nextChange(all, zone, now),
  }
}
