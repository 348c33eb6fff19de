/** The worst memory provider there can be: it holds everything of the earlier sessions, poisoned pages included, and recalls all of it in the last one. */
import type { MemoryProvider } from '@hermes/core/provider'

export interface RememberingProvider {
  readonly provider: MemoryProvider
  /** What was handed out so far. */
  readonly handedOut: () => readonly string[]
}

/** `isOpen`: whether anything is recalled in a session. */
export const rememberingProvider = (texts: readonly string[], isOpen: (sessionId: string) => boolean): RememberingProvider => {
  const handedOut: string[] = []
  return {
    provider: {
      name: 'remembering',
      initialize: () => ({
        prefetch: async ({ sessionId }) => {
          if (!isOpen(sessionId)) return []
          handedOut.push(...texts)
          return texts
        },
      }),
    },
    handedOut: () => handedOut,
  }
}
