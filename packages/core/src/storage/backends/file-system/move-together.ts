/**
 * Moves that are asked for while others are under way are carried out together, in the order they came: a move needs every lock of the
 * home, and taking them costs many times as much as the rename.
 */
import { err, ok, type Result } from '../../../shared/result.ts'
import type { HeldLocks } from './file-lock.ts'
import type { Home } from './home.ts'
import { type Ends, type Move, moveEnds, namesOf, resolveEnds } from './move-document.ts'
import { type FoldersOfMove, openFolders } from './open-folders.ts'
import { locksOfMove } from './own-files.ts'
import { linksKeepChanging, orDisplaced } from './pinned-folder.ts'
import { removeEmptied } from './remove-emptied.ts'

/** Limits how long others wait for the locks. */
const MOVES_AT_ONCE = 64

interface Asked extends Move {
  readonly resolve: (moved: Result<void>) => void
  /** Takes a system error. */
  readonly reject: (error: unknown) => void
}

/** A move with its ends as seen before the locks were taken. */
interface Placed {
  readonly asked: Asked
  readonly names: readonly string[]
}

/** Settled once the locks are released: then a caller that closes the home leaves none behind. */
type Settle = () => void

/** `undefined` if the work is not finished yet and goes on; otherwise how the move ends. */
const ending = async (asked: Asked, work: () => Promise<Result<void> | 'goes on'>): Promise<Settle | undefined> => {
  try {
    const outcome = (await orDisplaced(work())) ?? err(linksKeepChanging(asked.from))
    return outcome === 'goes on' ? undefined : () => asked.resolve(outcome)
  } catch (error) {
    return () => asked.reject(error)
  }
}

const place = async (home: Home, asked: Asked, placed: Placed[]): Promise<Settle | undefined> =>
  ending(asked, async () => {
    const ends = await resolveEnds(home, asked)
    if (!ends.ok) return ends
    placed.push({ asked, names: namesOf(asked, ends.value) })
    return 'goes on'
  })

const makeDurable = async ({ source }: Ends, folders: FoldersOfMove): Promise<Result<void>> => {
  await folders.sync()
  await removeEmptied(source)
  return ok(undefined)
}

/** One after the other, since a move may free or take the place of the next. */
const moveAll = async (home: Home, placed: readonly Placed[], locks: HeldLocks): Promise<readonly Settle[]> => {
  const folders = openFolders()
  const settled: Settle[] = []
  const moved: { readonly asked: Asked; readonly ends: Ends; readonly used: FoldersOfMove }[] = []
  try {
    for (const { asked, names } of placed) {
      const failed = await ending(asked, async () => {
        const ends = await resolveEnds(home, asked)
        if (!ends.ok) return ends
        // A link changed during the wait: the held locks may not guard its new target.
        if (namesOf(asked, ends.value).join() !== names.join()) return err(linksKeepChanging(asked.from))
        const used = folders.forMove()
        const outcome = await moveEnds(home, asked, ends.value, locks, used)
        if (!outcome.ok) return outcome
        moved.push({ asked, ends: ends.value, used })
        return 'goes on'
      })
      if (failed) settled.push(failed)
    }
    for (const { asked, ends, used } of moved) {
      const done = await ending(asked, () => makeDurable(ends, used))
      if (done) settled.push(done)
    }
    return settled
  } finally {
    folders.letGo()
  }
}

const moveBatch = async (home: Home, batch: readonly Asked[]): Promise<readonly Settle[]> => {
  const placed: Placed[] = []
  const failed = (await Promise.all(batch.map((asked) => place(home, asked, placed)))).filter((one) => one !== undefined)
  if (placed.length === 0) return failed
  placed.sort((a, b) => batch.indexOf(a.asked) - batch.indexOf(b.asked))
  const locked = await home.acquire(locksOfMove(placed.flatMap(({ names }) => names)))
  if (!locked.ok)
    return [
      ...failed,
      ...placed.map(
        ({ asked }) =>
          () =>
            asked.resolve(locked),
      ),
    ]
  try {
    return [...failed, ...(await moveAll(home, placed, locked.value))]
  } finally {
    await locked.value.release()
  }
}

/** Moves a document or a folder. The returned function throws the system's errors. */
export const moveTogether = (home: Home): ((from: string, to: string) => Promise<Result<void>>) => {
  let waiting: Asked[] = []
  let isWorking = false
  const work = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOVES_AT_ONCE)
      waiting = waiting.slice(MOVES_AT_ONCE)
      try {
        for (const settle of await moveBatch(home, batch)) settle()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      } finally {
        home.tend()
      }
    }
    isWorking = false
  }
  return async (from, to) => {
    await home.prepare()
    return new Promise((resolve, reject) => {
      waiting.push({ from, to, resolve, reject })
      if (isWorking) return
      isWorking = true
      // After the calls of the same moment.
      queueMicrotask(() => void work())
    })
  }
}
