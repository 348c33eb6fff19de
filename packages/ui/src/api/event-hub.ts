/** Passes events of the host's process to open pages. */
import type { HermesEvent, HermesEventListener } from '@hermes/core'

export interface EventHub {
  readonly notify: HermesEventListener
  /** Returns a function that removes the listener. */
  listen(listener: HermesEventListener): () => void
  /** Fires when the inspector closes. */
  readonly closed: AbortSignal
  close(): void
}

export const createEventHub = (): EventHub => {
  const listeners = new Set<HermesEventListener>()
  const closing = new AbortController()
  return {
    notify(event: HermesEvent) {
      for (const listener of listeners) listener(event)
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    closed: closing.signal,
    close() {
      listeners.clear()
      closing.abort()
    },
  }
}
