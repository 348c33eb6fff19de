/** A folder of a storage as a storage of its own: every path is checked, then put below the prefix. */
import { ok, type Result } from '../shared/result.ts'
import { checkFolder, checkMove } from './document-tree.ts'
import type { StorageBackend } from './storage-backend.ts'
import { checkStoragePath } from './storage-paths.ts'

/** `prefix`: a valid path. Nothing outside of it is read or written. Closing the view does not close the storage. */
export const prefixedBackend = (backend: StorageBackend, prefix: string): StorageBackend => {
  const below = (path: string): string => (path === '' ? prefix : `${prefix}/${path}`)
  const within = async <T>(checked: Result<unknown>, call: () => Promise<Result<T>>): Promise<Result<T>> => (checked.ok ? call() : checked)
  return {
    read: (path) => within(checkStoragePath(path), () => backend.read(below(path))),
    update: (path, change, options) => within(checkStoragePath(path), () => backend.update(below(path), change, options)),
    list: (folder) =>
      within(checkFolder(folder), async () => {
        const listed = await backend.list(below(folder))
        return listed.ok ? ok(listed.value.map((info) => ({ ...info, path: info.path.slice(prefix.length + 1) }))) : listed
      }),
    move: (from, to) => within(checkMove(from, to), () => backend.move(below(from), below(to))),
    removeLeftovers: (folder) => within(checkFolder(folder), async () => (await backend.removeLeftovers?.(below(folder))) ?? ok(undefined)),
    close: async () => {},
  }
}
