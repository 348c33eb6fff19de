/**
 * The storage of one owner: a folder in the storage of the host. Every call names the owner's registration beside its own documents, so that one cut says whether
 * the owner was erased: of a home that another process has erased, nothing is read or written. The first update that writes registers the owner.
 */
import type { Clock } from '../shared/clock.ts'
import { equalBytes } from '../shared/equal-bytes.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { closedError } from '../storage/document-tree.ts'
import { orError } from '../storage/one-document.ts'
import { prefixedBackend } from '../storage/prefixed-backend.ts'
import type { Cut, DocumentInfo, Paths, Plan, StorageBackend, UpdateOptions } from '../storage/storage-backend.ts'
import { type OwnerId, type OwnerPlace, placeOf } from './owner.ts'

const encode = (registration: object): Uint8Array => new TextEncoder().encode(`${JSON.stringify(registration)}\n`)

/** `id` differs for each home that the owner begins, so that a handle of an erased one is never taken for one of the next. `createdAt`: epoch milliseconds. */
const encodeRegistration = (owner: OwnerId, id: string, createdAt: number): Uint8Array => encode({ version: 1, id, ...owner, createdAt })

/** In the place of the registration while a large home is being erased. */
export const encodeErasing = (owner: OwnerId): Uint8Array => encode({ version: 1, erasing: true, ...owner })

const ERASED: unique symbol = Symbol('erased')

const erasedError = (): HermesError =>
  new HermesError('closed', 'This owner was erased meanwhile, so nothing was written. Open the home of the owner again to start a new one.')

const erasingError = (): HermesError =>
  new HermesError(
    'closed',
    'The erasure of this owner is not finished, so nothing was read or written. Erase the owner again to finish it.',
  )

/** A plan that only removes starts no home. */
const writes = ({ put = {}, append = {} }: Plan<unknown>): boolean =>
  Object.keys(append).length > 0 || Object.values(put).some((each) => each !== null)

export interface OwnerStorageOptions {
  /** The storage of the host, with all owners. */
  readonly storage: StorageBackend
  readonly owner: OwnerId
  readonly clock: Clock
  readonly createId: () => string
  /** Called once, when a call finds that the owner was erased. */
  readonly onErased: () => void
}

export class OwnerStorage implements StorageBackend {
  readonly #options: OwnerStorageOptions
  readonly #place: Promise<OwnerPlace>
  /** The documents of the home, without the folder that they are in. */
  readonly #home: Promise<StorageBackend>
  readonly #underWay = new Set<Promise<unknown>>()
  /** The registration that this handle has seen. Each has an id of its own, so another one, or none, says that the owner was erased. */
  #registered: Uint8Array | undefined
  #isErasing = false
  #ended: HermesError | undefined

  constructor(options: OwnerStorageOptions) {
    this.#options = options
    this.#place = placeOf(options.owner)
    const read = (paths: Paths) => this.#read(paths)
    const named: StorageBackend = {
      read,
      update: (paths, plan, given) => this.#update(paths, plan, given),
      list: async (folder) => {
        const cut = await read([`${folder}/`])
        return cut.ok ? ok(cut.value.list(folder)) : cut
      },
      close: async () => {},
    }
    this.#home = this.#place.then(({ folder }) => prefixedBackend(named, folder))
  }

  /** True once the storage was closed or the owner erased: every call then fails. */
  get ended(): boolean {
    return this.#ended !== undefined
  }

  read(paths: Paths): Promise<Result<Cut>> {
    return this.#run(async () => (await this.#home).read(paths))
  }

  update<T>(paths: Paths, plan: (cut: Cut) => Plan<T>, options?: UpdateOptions): Promise<Result<T>> {
    return this.#run(async () => (await this.#home).update(paths, plan, options))
  }

  list(prefix: string): Promise<Result<readonly DocumentInfo[]>> {
    return this.#run(async () => (await this.#home).list(prefix))
  }

  /** Whether the owner has a home. Once this was `present`, no call on this handle starts another home. `erasing`: the erasure was interrupted. */
  look(): Promise<Result<'present' | 'absent' | 'erasing'>> {
    return this.#run(async () => {
      const looked = await this.#read([])
      if (this.#isErasing) return ok('erasing')
      return looked.ok ? ok(this.#registered ? 'present' : 'absent') : looked
    })
  }

  close(): Promise<void> {
    return this.#end(closedError())
  }

  /** The owner was erased: refuses all further calls, and resolves when the running ones are done. */
  cutOff(): Promise<void> {
    return this.#end(erasedError())
  }

  async #end(error: HermesError): Promise<void> {
    this.#ended ??= error
    await Promise.allSettled(this.#underWay)
  }

  async #run<T>(call: () => Promise<Result<T>>): Promise<Result<T>> {
    if (this.#ended) return err(this.#ended)
    const work = call()
    this.#underWay.add(work)
    try {
      return await work
    } finally {
      this.#underWay.delete(work)
    }
  }

  /** False if the owner was erased since this handle has seen a registration, or is being erased. */
  #accepts(found: Uint8Array | undefined): boolean {
    if (this.#registered) return found !== undefined && equalBytes(found, this.#registered)
    this.#isErasing = found !== undefined && equalBytes(found, encodeErasing(this.#options.owner))
    return !this.#isErasing
  }

  #erased(): Result<never> {
    if (!this.#ended) {
      this.#ended = this.#isErasing ? erasingError() : erasedError()
      this.#options.onErased()
    }
    return err(this.#ended)
  }

  /** `paths` of the host's storage. */
  #read(paths: Paths): Promise<Result<Cut>> {
    return orError(async () => {
      const { registration } = await this.#place
      const cut = await this.#options.storage.read([...paths, registration])
      if (!cut.ok) return cut
      const found = cut.value.document(registration)?.bytes
      if (!this.#accepts(found)) return this.#erased()
      this.#registered ??= found
      return cut
    })
  }

  /** `paths` of the host's storage. */
  async #update<T>(paths: Paths, plan: (cut: Cut) => Plan<T>, options?: UpdateOptions): Promise<Result<T>> {
    const { storage, owner, clock, createId } = this.#options
    const { registration } = await this.#place
    const first = this.#registered ? undefined : encodeRegistration(owner, createId(), clock())
    let found: Uint8Array | undefined
    const updated = await storage.update<T | typeof ERASED>(
      [...paths, registration],
      (cut) => {
        found = cut.document(registration)?.bytes
        if (!this.#accepts(found)) return { value: ERASED }
        const planned = plan(cut)
        if (found || !first || !writes(planned)) return planned
        found = first
        return { ...planned, put: { ...planned.put, [registration]: first } }
      },
      // It looks at the registration too, so it is no claim of one document. A registration has to last, whatever it is written with.
      { ...options, claim: false, ...(first ? { durable: true } : {}) },
    )
    if (!updated.ok) return updated
    if (updated.value === ERASED) return this.#erased()
    this.#registered ??= found
    return ok(updated.value)
  }
}
