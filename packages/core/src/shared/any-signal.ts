/** Runs `use` with a signal that fires when one of the signals does. Nothing stays attached to them afterwards, however long they live. */
export const withAnySignal = async <T>(
  signals: readonly (AbortSignal | undefined)[],
  use: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const any = new AbortController()
  const fire = () => any.abort()
  for (const signal of signals) {
    signal?.addEventListener('abort', fire, { once: true })
    if (signal?.aborted) fire()
  }
  try {
    return await use(any.signal)
  } finally {
    for (const signal of signals) signal?.removeEventListener('abort', fire)
  }
}
