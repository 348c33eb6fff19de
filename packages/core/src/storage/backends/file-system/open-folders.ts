/** Folders held open for several moves, and synced once after all of them. */
import { type Pin, type PinnedFolder, pinFolder } from './pinned-folder.ts'

export interface OpenFolders {
  /** As `withFolder`, and keeps the folder open. */
  readonly use: <T>(folder: string, act: (pinned: PinnedFolder) => Promise<T>) => Promise<T>
  /** Makes the renames in a folder durable that was used before: one call to the disk, however often it is asked for. */
  readonly sync: (folder: string) => Promise<void>
  readonly letGo: () => void
}

interface Opened {
  readonly pin: Pin
  sync?: () => Promise<void>
}

export const openFolders = (): OpenFolders => {
  const opened = new Map<string, Opened>()
  const synced = new Map<string, Promise<void>>()
  const open = async (folder: string): Promise<Opened> => {
    const before = opened.get(folder)
    if (before && (await before.pin.isInPlace())) return before
    // An earlier move has moved that folder itself.
    await before?.sync?.()
    before?.pin.letGo()
    const now: Opened = { pin: await pinFolder(folder) }
    opened.set(folder, now)
    return now
  }
  return {
    use: async (folder, act) => {
      const one = await open(folder)
      return one.pin.use((pinned) => {
        one.sync = pinned.sync
        return act(pinned)
      })
    },
    sync: (folder) => {
      const syncing = synced.get(folder) ?? opened.get(folder)?.sync?.() ?? Promise.resolve()
      synced.set(folder, syncing)
      return syncing
    },
    letGo: () => {
      for (const { pin } of opened.values()) pin.letGo()
    },
  }
}
