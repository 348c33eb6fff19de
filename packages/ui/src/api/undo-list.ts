/** The changes that this inspector made and can still undo, newest last. Lost when the process ends: the journal and the archive are not. */
import type { Result } from '@hermes/core'
import type { DoneView } from './views.ts'

/** Undoes one change; returns what was done. */
export type Undo = () => Promise<Result<string>>

const MAX_KEPT = 500

export interface UndoList {
  /** `home`: only requests of the same home can undo it. */
  add(home: string, message: string, undo: Undo | undefined): DoneView
  take(home: string, id: string): Undo | undefined
}

export const createUndoList = (): UndoList => {
  const kept = new Map<string, { readonly home: string; readonly undo: Undo }>()
  let count = 0
  return {
    add(home, message, undo) {
      if (!undo) return { message, undo: undefined }
      count += 1
      const id = `${count}`
      const [oldest] = kept.keys()
      if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest)
      kept.set(id, { home, undo })
      return { message, undo: id }
    },
    take(home, id) {
      const found = kept.get(id)
      if (found?.home !== home) return undefined
      kept.delete(id)
      return found.undo
    },
  }
}
