/** A file that takes the place of a document. */
import { unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fsync, letGo, open, openIn, orMissing, removeEmptyFolder, rename, statusOf, TO_CREATE_NEW, writeAt } from './disk.ts'
import { identityOf } from './documents.ts'
import { isSystemError } from './io-error.ts'
import type { PutEntry } from './log-record.ts'

export type Content = PutEntry & { readonly bytes: Uint8Array }

/** A new file beside the document whose place it takes. */
export class NewFile {
  readonly #target: string
  readonly #file: string
  #opened: number | undefined
  /** `identityOf` the file. */
  identity = ''

  private constructor(target: string, file: string, opened: number) {
    this.#target = target
    this.#file = file
    this.#opened = opened
  }

  /** Under the lock: whatever has this name was left by a killed process. */
  static async write(target: string, { bytes, executable }: Pick<Content, 'bytes' | 'executable'>, name: string): Promise<NewFile> {
    const file = join(dirname(target), name)
    const mode = executable ? 0o700 : 0o600
    const opened = await openIn(file, TO_CREATE_NEW, mode).catch(async (error: unknown) => {
      if (!isSystemError(error, 'EEXIST')) throw error
      await unlink(file)
      return open(file, TO_CREATE_NEW, mode)
    })
    const made = new NewFile(target, file, opened)
    try {
      const [status] = await Promise.all([statusOf(opened), writeAt(opened, bytes, 0)])
      made.identity = identityOf(status)
      return made
    } catch (error) {
      await made.remove()
      throw error
    }
  }

  async sync(): Promise<void> {
    if (this.#opened !== undefined) await fsync(this.#opened)
  }

  close(): void {
    if (this.#opened !== undefined) letGo(this.#opened)
    this.#opened = undefined
  }

  async takePlace(): Promise<void> {
    this.close()
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
