/** Opens the storage of one owner for the conformance suite. On a busy machine, 400 updates take longer than the usual limit. */
import { OwnerStorage } from '../../src/homes/owner-storage.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'

const openOwner = (storage: StorageBackend, user: string, onErased: () => void = () => undefined): OwnerStorage =>
  new OwnerStorage({ storage, owner: { user }, clock: systemClock, createId: () => crypto.randomUUID(), onErased })

/** The view does not close the host's storage, which nothing else uses here. */
export const openAlone = (storage: StorageBackend, user: string): StorageBackend => {
  const view = openOwner(storage, user)
  return {
    read: (paths) => view.read(paths),
    update: (paths, plan, options) => view.update(paths, plan, options),
    list: (prefix) => view.list(prefix),
    close: async () => {
      await view.close()
      await storage.close()
    },
  }
}

export const open = async ({ home, user }: { readonly home: string; readonly user: string }): Promise<StorageBackend> =>
  openAlone(fileSystemBackend(home, { timeoutMs: 60_000, onWarning: () => undefined }), user)
