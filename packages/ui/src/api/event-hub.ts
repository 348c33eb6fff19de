/** Passes events of the host's process to open pages. */
import type { HermesEvent, HermesEventListener } from '@hermes/core'

export interface EventHub {
  readonly notify: HermesEventListener
  /** Returns a function that removes the listener. */
  listen(listener: HermesEventListener): () => void
  /** Called after a change that this inspector made. */
  onChange(listener: () => void): () => void
  changed(): void
  /** Fires when the inspector closes. */
  readonly closed: AbortSignal
  close(): void
}

export const createEventHub = (): EventHub => {
  const listeners = new Set<HermesEventListener>()
  const onlookers = new Set<() => void>()
  const closing = new AbortController()
  return {
    notify(event: HermesEvent) {
      for (const listener of listeners) listener(event)
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onChange(listener) {
      onlookers.add(listener)
      return () => onlookers.delete(listener)
    },
    changed() {
      for (const listener of onlookers) listener()
    },
    closed: closing.signal,
    close() {
      listeners.clear()
      onlookers.clear()
      closing.abort()
    },
  }
}
