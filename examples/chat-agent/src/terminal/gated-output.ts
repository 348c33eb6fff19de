/** A stream that passes text on only while its gate is open: readline's echo is silent while an answer is shown. */
import { Writable } from 'node:stream'

/** What is used of a `tty.WriteStream`. */
export type Screen = Writable & { readonly columns: number; readonly rows: number }

export class GatedOutput extends Writable {
  open = false
  readonly #target: Screen

  constructor(target: Screen) {
    super({ decodeStrings: false })
    this.#target = target
    // readline follows the size of the window through its output.
    target.on('resize', this.#resized)
  }

  readonly #resized = (): void => {
    this.emit('resize')
  }

  get columns(): number {
    return this.#target.columns
  }

  get rows(): number {
    return this.#target.rows
  }

  override _write(chunk: string | Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    if (this.open) this.#target.write(chunk)
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#target.off('resize', this.#resized)
    done(error)
  }
}
