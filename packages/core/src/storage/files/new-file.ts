/** A file that takes the place of a document. */
import { unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as disk from './disk.ts'
import { identityOf } from './documents.ts'
import { isOnlyOurs, SHARED_DOCUMENTS } from './home.ts'
import { type Change, EMPTY } from './log-record.ts'

/** A new file beside the document whose place it takes. */
export class NewFile {
  readonly change: Change
  readonly #target: string
  readonly #file: string
  #opened: number | undefined
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

  /** Once. */
  async write(): Promise<void> {
    const opened = this.#opened
    if (opened === undefined) return
    const { path, bytes } = this.change
    const [status] = await Promise.all([isOnlyOurs(path) ? undefined : disk.statusOf(opened), disk.writeAt(opened, bytes ?? EMPTY, 0)])
    if (status) this.identity = identityOf(status)
    // No power cut shows Python or a person an empty document.
    if (SHARED_DOCUMENTS.includes(path)) await disk.fsync(opened)
    this.close()
  }

  close(): void {
    if (this.#opened !== undefined) disk.letGo(this.#opened)
    this.#opened = undefined
  }

  async takePlace(): Promise<void> {
    try {
      await disk.rename(this.#file, this.#target)
    } catch (error) {
      if (!disk.isSystemError(error, 'EISDIR', 'ENOTEMPTY', 'EEXIST')) throw error
      await disk.removeEmptyFolder(this.#target)
      await disk.rename(this.#file, this.#target)
    }
  }

  async remove(): Promise<void> {
    this.close()
    await disk.orMissing(unlink(this.#file))
  }
}
