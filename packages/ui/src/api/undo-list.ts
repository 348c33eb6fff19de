/** The changes that this inspector made and can still undo. Lost when the process ends: the journal and the archive are not. */
import { err, HermesError, type Result } from '@hermes/core'
import type { DoneView } from './views.ts'

/** Undoes one change; returns what was done. */
export type Undo = () => Promise<Result<string>>

const MAX_KEPT = 500

export interface UndoList {
  /** `home`: only requests of the same home can undo it. */
  add(home: string, message: string, undo: Undo | undefined): DoneView
  /** `not_found` for an unknown id. What fails can be tried again. */
  undo(home: string, id: string): Promise<Result<DoneView>>
  /** Nothing of this home can be undone any more, and no text of it is kept. */
  clear(home: string): void
}

const GONE = 'This can no longer be undone here: it was undone already, a text was forgotten since, or the inspector was started again.'

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
    clear(home) {
      for (const [id, each] of kept) if (each.home === home) kept.delete(id)
    },
    async undo(home, id) {
      const found = kept.get(id)
      if (found?.home !== home) return err(new HermesError('not_found', GONE))
      const undone = await found.undo()
      if (!undone.ok) return undone
      kept.delete(id)
      return { ok: true, value: { message: undone.value, undo: undefined } }
    },
  }
}
