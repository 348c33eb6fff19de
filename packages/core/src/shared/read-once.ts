/** A value created at its first use and cached. */

export interface ReadOnce<T> {
  /** The first call creates the value; later calls return the same. */
  read(): T
  /** The next call of `read` creates it again. */
  forget(): void
}

export const readOnce = <T>(read: () => T): ReadOnce<T> => {
  let value: { readonly of: T } | undefined
  return {
    read: () => {
      value ??= { of: read() }
      return value.of
    },
    forget: () => {
      value = undefined
    },
  }
}
