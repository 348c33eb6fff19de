/** Opens the storage of one owner for the conformance suite. On a busy machine, 400 updates take longer than the usual limit. */
import { ownerRegistry } from '../../src/homes/owner-registry.ts'
import { ownerStorage } from '../../src/homes/owner-storage.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { fileSystemBackend } from '../../src/storage/files/index.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'

export const openOwner = (storage: StorageBackend, user: string): StorageBackend => {
  const registry = ownerRegistry({ storage, clock: systemClock, createId: () => crypto.randomUUID() })
  const view = ownerStorage({ storage, registry, owner: { user }, onErased: () => undefined })
  return {
    ...view,
    // The view does not close the host's storage, which nothing else uses here.
    close: async () => {
      await view.close()
      await storage.close()
    },
  }
}

export const open = async ({ home, user }: { readonly home: string; readonly user: string }): Promise<StorageBackend> =>
  openOwner(fileSystemBackend(home, { timeoutMs: 60_000, onWarning: () => undefined }), user)
