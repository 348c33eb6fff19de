/**
 * The storage of one owner: a folder of the host's. It exists from the first write on, and ends when the owner is erased, in whichever process: a write that was
 * under way then removes what it wrote, so nothing of the owner comes back.
 */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { checkChangeResult } from '../storage/check-change-result.ts'
import { checkFolder, checkMove, closedError } from '../storage/document-tree.ts'
import { prefixedBackend } from '../storage/prefixed-backend.ts'
import { type DocumentChange, type StorageBackend, UNCHANGED } from '../storage/storage-backend.ts'
import { checkStoragePath } from '../storage/storage-paths.ts'
import type { OwnerId } from './owner.ts'
import type { OwnerRegistry, RegisteredHome } from './owner-registry.ts'
import { removeFolder } from './remove-folder.ts'

export interface OwnerStorage extends StorageBackend {
  /** Every call fails from now on: it was closed, or the owner was erased. */
  readonly ended: boolean
  /** Is anything kept of the owner? Once it was true, no call begins another home. */
  exists(): Promise<Result<boolean>>
  /** Refuses every call from now on, and resolves when none is under way. */
  cutOff(): Promise<void>
}

export interface OwnerStorageOptions {
  /** The host's storage, of all owners. */
  readonly storage: StorageBackend
  readonly registry: OwnerRegistry
  readonly owner: OwnerId
  /** Called when a write finds that another process has erased the owner. */
  readonly onErased: () => void
}

const erasedError = (): HermesError =>
  new HermesError(
    'closed',
    'Everything of this owner was erased meanwhile, so nothing was written. Ask for their home again to begin a new one.',
  )

const notRemoved = ({ code, message }: HermesError): HermesError =>
  new HermesError(
    code,
    `Everything of this owner was erased meanwhile, and what was written since could not be removed: ${message} Erase the owner again.`,
  )

const writesNothing = (path: string, change: DocumentChange): boolean => {
  const next = checkChangeResult(path, change(undefined), undefined)
  return next === undefined || next === UNCHANGED
}

export const ownerStorage = ({ storage, registry, owner, onErased }: OwnerStorageOptions): OwnerStorage => {
  let home: RegisteredHome | undefined
  let ended: HermesError | undefined
  const underWay = new Set<Promise<unknown>>()

  const run = async <T>(checked: Result<unknown>, call: () => Promise<Result<T>>): Promise<Result<T>> => {
    if (ended) return err(ended)
    if (!checked.ok) return checked
    const work = call()
    underWay.add(work)
    try {
      return await work
    } finally {
      underWay.delete(work)
    }
  }

  const find = async (): Promise<Result<RegisteredHome | undefined>> => {
    if (home) return ok(home)
    const found = await registry.find(owner)
    if (found.ok) home ??= found.value
    return found.ok ? ok(home) : found
  }

  const ensure = async (): Promise<Result<RegisteredHome>> => {
    if (home) return ok(home)
    const ensured = await registry.ensure(owner)
    if (ensured.ok) home ??= ensured.value
    return ensured
  }

  const reading = async <T>(absent: T, read: (home: StorageBackend) => Promise<Result<T>>): Promise<Result<T>> => {
    const found = await find()
    if (!found.ok) return found
    return found.value ? read(prefixedBackend(storage, found.value.folder)) : ok(absent)
  }

  /** Whoever erases removes the registration before the documents; so a write that still finds it afterwards is removed with them, or stays. */
  const confirm = async <T>(written: Result<T>, { folder }: RegisteredHome): Promise<Result<T>> => {
    const now = await registry.find(owner)
    if (!now.ok || now.value?.folder === folder) return written
    ended = erasedError()
    const removed = await removeFolder(storage, folder)
    onErased()
    return err(removed.ok ? ended : notRemoved(removed.error))
  }

  const writing = async <T>(write: (home: StorageBackend) => Promise<{ readonly result: Result<T>; readonly changed: boolean }>) => {
    const ensured = await ensure()
    if (!ensured.ok) return ensured
    const { result, changed } = await write(prefixedBackend(storage, ensured.value.folder))
    return changed ? confirm(result, ensured.value) : result
  }

  const cutOff = async (error: HermesError): Promise<void> => {
    ended ??= error
    await Promise.allSettled(underWay)
  }

  return {
    get ended() {
      return ended !== undefined
    },
    exists: () =>
      run(ok(undefined), async () => {
        const found = await find()
        return found.ok ? ok(found.value !== undefined) : found
      }),
    read: (path) => run(checkStoragePath(path), () => reading(undefined, (view) => view.read(path))),
    list: (folder) => run(checkFolder(folder), () => reading([], (view) => view.list(folder))),
    update: (path, change) =>
      run(checkStoragePath(path), async () => {
        const found = await find()
        if (!found.ok) return found
        // What would write nothing begins no home.
        if (!found.value && writesNothing(path, change)) return ok(undefined)
        return writing(async (view) => {
          let changed = false
          const result = await view.update(path, (current) => {
            const next = change(current)
            changed = next !== UNCHANGED
            return next
          })
          return { result, changed }
        })
      }),
    move: (from, to) =>
      run(checkMove(from, to), () =>
        writing(async (view) => {
          const result = await view.move(from, to)
          return { result, changed: result.ok }
        }),
      ),
    close: () => cutOff(closedError()),
    cutOff: () => cutOff(erasedError()),
  }
}
