/** Calls a function of the host whose outcome does not matter: anything it throws or rejects with goes to `onFailure`, or is ignored. */
export const callSafely = <T>(call: (value: T) => unknown, value: T, onFailure: (cause: unknown) => void = () => {}): void => {
  try {
    const outcome = call(value)
    if (outcome instanceof Promise) outcome.catch(onFailure)
  } catch (cause) {
    onFailure(cause)
  }
}
