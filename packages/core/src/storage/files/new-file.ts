/** A file that takes the place of a document. */
import { unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fsync, letGo, open, openIn, orMissing, removeEmptyFolder, rename, statusOf, TO_CREATE_NEW, writeAt } from './disk.ts'
import { identityOf } from './documents.ts'
import { isSystemError } from './io-error.ts'
import { type Change, EMPTY } from './log-record.ts'

/** A new file beside the document whose place it takes. */
export class NewFile {
  readonly change: Change
  readonly #target: string
  readonly #file: string
  #opened: number | undefined
  /** `identityOf` the file. */
  identity = ''

  private constructor(change: Change, target: string, file: string, opened: number) {
    this.change = change
    this.#target = target
    this.#file = file
    this.#opened = opened
  }

  /** Under the lock: whatever has this name was left by a killed process. */
  static async open(change: Change, target: string, name: string): Promise<NewFile> {
    const file = join(dirname(target), name)
    const mode = change.executable ? 0o700 : 0o600
    const opened = await openIn(file, TO_CREATE_NEW, mode).catch(async (error: unknown) => {
      if (!isSystemError(error, 'EEXIST')) throw error
      await unlink(file)
      return open(file, TO_CREATE_NEW, mode)
    })
    return new NewFile(change, target, file, opened)
  }

  /** Once. */
  async write({ isSynced }: { readonly isSynced: boolean }): Promise<void> {
    const opened = this.#opened
    if (opened === undefined) return
    const [status] = await Promise.all([statusOf(opened), writeAt(opened, this.change.bytes ?? EMPTY, 0)])
    this.identity = identityOf(status)
    if (isSynced) await fsync(opened)
    this.close()
  }

  close(): void {
    if (this.#opened !== undefined) letGo(this.#opened)
    this.#opened = undefined
  }

  async takePlace(): Promise<void> {
    try {
      await rename(this.#file, this.#target)
    } catch (error) {
      if (!isSystemError(error, 'EISDIR', 'ENOTEMPTY', 'EEXIST')) throw error
      await removeEmptyFolder(this.#target)
      await rename(this.#file, this.#target)
    }
  }

  async remove(): Promise<void> {
    this.close()
    await orMissing(unlink(this.#file))
  }
}
