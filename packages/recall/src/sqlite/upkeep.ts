/** Long work on the index of a home, in the background and in pieces: what one process leaves unfinished, the next one that opens the file goes on with. */
import { statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { HermesError } from '@hermes/core'
import type { RecallIndexHome, RecallItem } from '../recall-index.ts'
import type { OpenConnection, SqlConnection } from './driver.ts'
import { identityOf, markSalvaged, setAsideIn } from './index-files.ts'
import { setState } from './items.ts'
import { checkTermsVersion, emptyLog, purgePiece, rebuildPiece } from './rebuild.ts'
import type { RecallFile } from './recall-file.ts'
import { salvage } from './salvage.ts'

export interface Upkeep {
  /** Looks whether a database that was just opened needs work. */
  opened(db: SqlConnection): void
  /** Begins the work that is due; nothing waits for it. */
  start(): void
  rebuild(progress?: (done: number, of: number) => void, signal?: AbortSignal): Promise<void>
  /** Resolves when what can be read of damaged files that were set aside is copied. */
  copyAside(): Promise<void>
  /** Resolves when nothing of deleted items is left in the files. Rejects if another process prevents that. */
  purge(): Promise<void>
  /** Ends the work after the present piece. */
  stop(): Promise<void>
}

const LOG_ATTEMPTS = 100
const LOG_PAUSE_MS = 20

export const createUpkeep = (
  file: RecallFile,
  openConnection: OpenConnection,
  home: RecallIndexHome,
  /** Stores items if they are wanted at that moment. */
  keep: (items: readonly RecallItem[], areWanted: () => boolean) => Promise<number>,
): Upkeep => {
  let underWay: Promise<void> | undefined
  let isDue = false
  let stopped = false

  const rebuild = async (progress?: (done: number, of: number) => void, signal?: AbortSignal): Promise<void> => {
    let of = 0
    for (let left = 1; left > 0 && !stopped && signal?.aborted !== true; ) {
      left = (await file.change((db) => rebuildPiece(db, home), { left: 0 })).left
      of = Math.max(of, left)
      progress?.(of - left, of)
    }
  }

  const purge = async (): Promise<void> => {
    for (let isFirst = true; !stopped; isFirst = false) {
      const first = isFirst
      if (await file.change((db) => purgePiece(db, first), true)) break
    }
    for (let attempt = 0; attempt < LOG_ATTEMPTS; attempt++) {
      if (await file.read(emptyLog, true)) {
        await file.change<void>((db) => setState(db, 'purge', 0), undefined)
        return
      }
      await setTimeout(LOG_PAUSE_MS)
    }
    throw new HermesError(
      'locked',
      `What was forgotten is no longer found, but still in '${file.path}-wal', because another process is reading it. Close it; the next process that opens the index removes the rest.`,
    )
  }

  const salvageAll = async (): Promise<void> => {
    for (const aside of setAsideIn(file.folder).filter((each) => each.includes('damaged-'))) {
      const bytes = statSync(aside, { throwIfNoEntry: false })?.size ?? 0
      // A person may erase it, in any process, while it is being copied.
      const isThere = () => identityOf(aside) !== undefined
      const done = await salvage(
        aside,
        bytes,
        openConnection,
        (items) => keep(items, isThere),
        () => stopped || !isThere(),
      )
      if (!done) return
      const kept = markSalvaged(aside)
      const extent = done.isComplete ? 'All' : done.copied === 0 ? 'Nothing' : 'A part'
      home.report(
        new HermesError(
          'unreadable',
          `${extent} of the damaged recall index was copied (${done.copied} items). The old file is kept as '${kept}': delete it when you do not need it.`,
        ),
      )
    }
  }

  let copying: Promise<void> | undefined
  const copyAside = (): Promise<void> => {
    copying ??= salvageAll().finally(() => {
      copying = undefined
    })
    return copying
  }

  const work = async (): Promise<void> => {
    while (isDue && !stopped) {
      isDue = false
      await copyAside()
      await rebuild()
      await purge()
    }
  }

  const start = (): void => {
    isDue = true
    underWay ??= Promise.resolve()
      .then(work)
      .catch((cause: unknown) => {
        if (!stopped)
          home.report(
            HermesError.isInstance(cause)
              ? cause
              : new HermesError('io', `The upkeep of the recall index failed: ${String(cause)}`, { cause }),
          )
      })
      .finally(() => {
        underWay = undefined
      })
  }

  return {
    opened(db) {
      const isUnfinished = checkTermsVersion(db, home, file.path)
      if (isUnfinished || setAsideIn(file.folder).some((each) => each.includes('damaged-'))) start()
    },
    start,
    rebuild,
    copyAside,
    purge,
    async stop() {
      stopped = true
      await underWay
    },
  }
}
