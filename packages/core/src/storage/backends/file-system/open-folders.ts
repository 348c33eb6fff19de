/** Folders held open for several moves, and synced once after all of them. */
import { type Pin, type PinnedFolder, pinFolder } from './pinned-folder.ts'

/** The folders that one move uses. */
export interface FoldersOfMove {
  /** As `withFolder`, and keeps the folder open. */
  readonly use: <T>(folder: string, act: (pinned: PinnedFolder) => Promise<T>) => Promise<T>
  /** Makes the renames in them durable, in the folder used last first. */
  readonly sync: () => Promise<void>
}

export interface OpenFolders {
  readonly forMove: () => FoldersOfMove
  readonly letGo: () => void
}

interface Opened {
  readonly pin: Pin
  /** One call to the disk for all moves, also if it fails: a second one would hide the error. */
  synced?: Promise<void>
}

/** `pin`: opens a folder. */
export const openFolders = (pin: (folder: string) => Promise<Pin> = pinFolder): OpenFolders => {
  const all: Opened[] = []
  const present = new Map<string, Opened>()
  const open = async (folder: string): Promise<Opened> => {
    const before = present.get(folder)
    if (before && (await before.pin.isInPlace())) return before
    // There was none yet, or an earlier move has moved it; then it is kept, to be synced for those that used it.
    const now: Opened = { pin: await pin(folder) }
    all.push(now)
    present.set(folder, now)
    return now
  }
  return {
    forMove: () => {
      const used: { readonly one: Opened; readonly sync: () => Promise<void> }[] = []
      return {
        use: async (folder, act) => {
          const one = await open(folder)
          return one.pin.use((pinned) => {
            used.push({ one, sync: pinned.sync })
            return act(pinned)
          })
        },
        sync: async () => {
          for (const { one, sync } of used.toReversed()) {
            one.synced ??= sync()
            await one.synced
          }
        },
      }
    },
    letGo: () => {
      for (const { pin } of all) pin.letGo()
    },
  }
}
