/** A file that takes the place of a document. */
import { unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as disk from './disk.ts'
import { identityOf } from './documents.ts'
import { type Change, EMPTY } from './log-record.ts'
import { isOnlyOurs, SHARED_DOCUMENTS } from './names.ts'
import { removeEmptyFolder, rename } from './rename.ts'

/** A new file beside the document whose place it takes. */
export class NewFile {
  readonly change: Change
  readonly #target: string
  readonly #file: string
  #opened: number | undefined
  #written: Promise<void> = Promise.resolve()
  /** `identityOf` the file, if others may change it. */
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
    const opened = await disk.openIn(file, disk.TO_CREATE_NEW, mode).catch(async (error: unknown) => {
      if (!disk.isSystemError(error, 'EEXIST')) throw error
      await unlink(file)
      return disk.open(file, disk.TO_CREATE_NEW, mode)
    })
    return new NewFile(change, target, file, opened)
  }

  /** Once; begins to wait for the disk, which ends with `written`. */
  async write(): Promise<void> {
    if (this.#opened === undefined) return
    await disk.writeAt(this.#opened, this.change.bytes ?? EMPTY, 0)
    this.#written = this.#finish(this.#opened)
    this.#written.catch(() => undefined)
  }

  /** The file may take its place. */
  written(): Promise<void> {
    return this.#written
  }

  async #finish(opened: number): Promise<void> {
    const { path } = this.change
    // No power cut shows Python or a person an empty document.
    const synced = SHARED_DOCUMENTS.includes(path) ? disk.fsync(opened) : undefined
    const [status] = await Promise.all([isOnlyOurs(path) ? undefined : disk.statusOf(opened), synced])
    if (status) this.identity = identityOf(status)
    this.close()
  }

  close(): void {
    if (this.#opened !== undefined) disk.letGo(this.#opened)
    this.#opened = undefined
  }

  async takePlace(): Promise<void> {
    try {
      await rename(this.#file, this.#target)
    } catch (error) {
      if (!disk.isSystemError(error, 'EISDIR', 'ENOTEMPTY', 'EEXIST')) throw error
      await removeEmptyFolder(this.#target)
      await rename(this.#file, this.#target)
    }
  }

  async remove(): Promise<void> {
    this.close()
    await disk.orMissing(unlink(this.#file))
  }
}
