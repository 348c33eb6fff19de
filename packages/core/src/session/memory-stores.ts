/** Creates the memory stores of a home; each of them reports its writes with the event `memory-changed`. */
import { MemoryStore } from '../memory/memory-store.ts'
import type { MemoryStoreOptions, MemoryWrite, MemoryWriter } from '../memory/memory-store-options.ts'
import type { Clock } from '../shared/clock.ts'
import type { HermesEvent } from './hermes-event.ts'

export interface MemoryStoresDeps {
  /** Options shared by all stores. */
  readonly options: Omit<MemoryStoreOptions, 'onFailure' | 'onWrite'>
  readonly clock: Clock
  readonly emit: (event: HermesEvent) => void
}

export interface MemoryStores {
  /** `writer`: the writer of changes that do not name one. */
  create(
    writer: MemoryWriter,
    onFailure: NonNullable<MemoryStoreOptions['onFailure']>,
    own?: Partial<Pick<MemoryStoreOptions, 'storage' | 'log' | 'project'> & Pick<MemoryStoresDeps, 'emit'>>,
  ): MemoryStore
  /** Sends the event for a write that was made through another store. */
  tell(write: MemoryWrite, writer: MemoryWriter): void
}

/** Undefined if no entry was added, removed or evicted. */
const toEvent = (
  { target, project, changes, source, writer: named }: MemoryWrite,
  writer: MemoryWriter,
  at: number,
): HermesEvent | undefined => {
  const { added, removed, evicted } = changes
  if (added.length + removed.length + evicted.length === 0) return undefined
  const { actor, sessionId = source?.sessionId } = named ?? writer
  return {
    type: 'memory-changed',
    at,
    ...(sessionId === undefined ? {} : { sessionId }),
    actor,
    target,
    ...(project === undefined ? {} : { project }),
    added,
    removed,
    evicted,
  }
}

export const memoryStores = ({ options, clock, emit }: MemoryStoresDeps): MemoryStores => {
  const tell = (write: MemoryWrite, writer: MemoryWriter, to = emit): void => {
    const event = toEvent(write, writer, clock())
    if (event) to(event)
  }
  return {
    create: (writer, onFailure, { emit: to = emit, ...own } = {}) =>
      new MemoryStore({
        ...options,
        ...own,
        by: writer.actor === 'person' ? 'user' : 'host',
        clock,
        onFailure,
        onWrite: async (write) => tell(write, writer, to),
      }),
    tell: (write, writer) => tell(write, writer),
  }
}
