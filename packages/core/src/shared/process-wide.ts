/** State that exists once per process, even with two copies of the package (ESM beside CommonJS). */

/** `name` includes a version, so that a copy of another version does not get state of an unknown shape. */
export const processWide = <State>(name: string, create: () => State): State => {
  const key = Symbol.for(`@hermes/core:${name}`)
  const known: unknown = Reflect.get(globalThis, key)
  // State under this name and version was created by the same code.
  if (known !== undefined) return known as State
  const created = create()
  Object.defineProperty(globalThis, key, { value: created })
  return created
}
