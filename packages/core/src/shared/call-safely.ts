/** Calls a function of the host whose outcome must not matter: what it throws, or rejects with when it is async, goes to `onFailure` or nowhere. */
export const callSafely = <T>(call: (value: T) => unknown, value: T, onFailure: (cause: unknown) => void = () => {}): void => {
  try {
    const outcome = call(value)
    if (outcome instanceof Promise) outcome.catch(onFailure)
  } catch (cause) {
    onFailure(cause)
  }
}
