/** A value that is made at its first use, and shared. */

export interface ReadOnce<T> {
  /** The first call reads, later ones get the same. */
  read(): T
  /** The next call reads again. */
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
