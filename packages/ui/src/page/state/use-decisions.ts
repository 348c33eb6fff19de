/** Decides one item after the other, and hides those that were decided while the list is older than their decision. */
import { useRef, useState } from 'preact/hooks'
import { lastReading } from './use-data.ts'

export interface Decisions {
  /** False while a decision is under way, and until the list was read after it. */
  isOpen(id: string, reading: number): boolean
  /** Hides the item at once, then waits for the decisions before it. `work` resolves to false if it failed, which shows the item again. */
  decide(id: string, work: () => Promise<boolean>): void
}

const UNDER_WAY = Number.POSITIVE_INFINITY

export const useDecisions = (): Decisions => {
  // Not state: two keys may come before the next drawing.
  const decided = useRef(new Map<string, number>())
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const [, draw] = useState(0)
  return {
    isOpen: (id, reading) => reading > (decided.current.get(id) ?? -1),
    decide(id, work) {
      decided.current.set(id, UNDER_WAY)
      draw((count) => count + 1)
      queue.current = queue.current.then(async () => {
        if (await work()) decided.current.set(id, lastReading())
        else decided.current.delete(id)
        draw((count) => count + 1)
      })
    },
  }
}
