/**
 * The storage of one owner: a folder in the storage of the host. It is created with the first write and ends when any process erases the owner: a write that is
 * in progress then removes what it wrote, so that no data of the owner reappears.
 */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { applyPlan } from '../storage/apply-plan.ts'
import { type CheckedPlan, checkPlan } from '../storage/checked-plan.ts'
import { checkFolder, closedError } from '../storage/document-tree.ts'
import { makeCut } from '../storage/make-cut.ts'
import { checkPaths, type NamedPaths } from '../storage/named-paths.ts'
import { prefixedBackend } from '../storage/prefixed-backend.ts'
import type { Cut, Plan, StorageBackend } from '../storage/storage-backend.ts'
import type { EarlyWrites } from './early-writes.ts'
import type { OwnerId } from './owner.ts'
import type { OwnerRegistry, RegisteredHome } from './owner-registry.ts'
import { removeFolder } from './remove-folder.ts'

export interface OwnerStorage extends StorageBackend {
  readonly early: EarlyWrites
  /** True once the storage was closed or the owner erased: every call then fails. */
  readonly ended: boolean
  /** Whether the owner has a home. Once this was true, no call on this handle starts another home. */
  exists(): Promise<Result<boolean>>
  /** Refuses all further calls, and resolves when the running ones are done. */
  cutOff(): Promise<void>
}

export interface OwnerStorageOptions {
  /** The storage of the host, with all owners. */
  readonly storage: StorageBackend
  readonly registry: OwnerRegistry
  readonly owner: OwnerId
  /** Called when a write finds that another process has erased the owner. */
  readonly onErased: () => void
}

const erasedError = (): HermesError =>
  new HermesError('closed', 'This owner was erased meanwhile, so nothing was written. Open the home of the owner again to start a new one.')

const notRemoved = ({ code, message }: HermesError): HermesError =>
  new HermesError(code, `This owner was erased meanwhile, and a later write could not be removed: ${message} Erase the owner again.`)

const notChecked = (cause: unknown): HermesError =>
  new HermesError('io', `Whether the owner was erased could not be checked after a write: ${String(cause)}`, { cause })

const emptyCut = (named: NamedPaths): Cut => makeCut(named, { documents: new Map(), infos: [] })

const isChange = ({ moves, puts, appends }: CheckedPlan<unknown>): boolean => moves.length + puts.size + appends.size > 0

/** What a plan comes to where there is nothing: its value, or what fails. `undefined` if it would write something. */
const withoutHome = <T>(named: NamedPaths, plan: (cut: Cut) => Plan<T>): Result<T> | undefined => {
  const planned = checkPlan(plan(emptyCut(named)), named)
  const after = applyPlan(new Map(), planned)
  if (!after.ok) return after
  return after.value.size === 0 ? ok(planned.value) : undefined
}

export const ownerStorage = ({ storage, registry, owner, onErased }: OwnerStorageOptions): OwnerStorage => {
  let home: RegisteredHome | undefined
  let ended: HermesError | undefined
  const underWay = new Set<Promise<unknown>>()

  const run = async <C, T>(checked: Result<C>, call: (checked: C) => Promise<Result<T>>): Promise<Result<T>> => {
    if (ended) return err(ended)
    if (!checked.ok) return checked
    const work = call(checked.value)
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

  /** An erasure unregisters the owner before it removes documents. If the owner is no longer registered after a write, the write may have come too late and is removed. */
  const confirm = async <T>(written: Result<T>, { folder }: RegisteredHome): Promise<Result<T>> => {
    const now = await registry.find(owner)
    if (!now.ok || now.value?.folder === folder) return written
    ended = erasedError()
    const removed = await removeFolder(storage, folder)
    onErased()
    return err(removed.ok ? ended : notRemoved(removed.error))
  }

  let problem: HermesError | undefined
  const checking = new Set<Promise<void>>()

  const confirmBehind: typeof confirm = async (written, home) => {
    const check = confirm(ok(undefined), home)
      .catch((cause: unknown) => err(notChecked(cause)))
      .then((checked) => {
        if (!checked.ok) problem ??= checked.error
      })
      .finally(() => checking.delete(check))
    checking.add(check)
    return written
  }

  const writing = async <T>(
    write: (home: StorageBackend) => Promise<{ readonly result: Result<T>; readonly changed: boolean }>,
    check: typeof confirm = confirm,
  ) => {
    const ensured = await ensure()
    if (!ensured.ok) return ensured
    const { result, changed } = await write(prefixedBackend(storage, ensured.value.folder))
    return changed ? check(result, ensured.value) : result
  }

  const updating =
    (check: typeof confirm): StorageBackend['update'] =>
    (paths, plan, options) =>
      run(checkPaths(paths), async (named) => {
        const found = await find()
        if (!found.ok) return found
        // A plan that writes nothing must not start a home.
        const nothing = found.value ? undefined : withoutHome(named, plan)
        if (nothing) return nothing
        return writing(async (view) => {
          let changed = false
          const noting = (cut: Cut) => {
            const planned = plan(cut)
            changed = isChange(checkPlan(planned, named))
            return planned
          }
          const result = await view.update(paths, noting, options)
          return { result, changed }
        }, check)
      })

  const cutOff = async (error: HermesError): Promise<void> => {
    ended ??= error
    await Promise.allSettled(underWay)
    await Promise.allSettled(checking)
  }

  const documents: StorageBackend = {
    read: (paths) => run(checkPaths(paths), (named) => reading(emptyCut(named), (view) => view.read(paths))),
    list: (folder) => run(checkFolder(folder), () => reading([], (view) => view.list(folder))),
    update: updating(confirm),
    close: () => cutOff(closedError()),
  }

  return {
    ...documents,
    get ended() {
      return ended !== undefined
    },
    exists: () =>
      run(ok(undefined), async () => {
        const found = await find()
        return found.ok ? ok(found.value !== undefined) : found
      }),
    cutOff: () => cutOff(erasedError()),
    early: {
      storage: { ...documents, update: updating(confirmBehind) },
      async checked() {
        await Promise.all(checking)
        return problem ? err(problem) : ok(undefined)
      },
    },
  }
}
