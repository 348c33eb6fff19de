/** State that one process has once, also where two copies of the package run in it (ESM beside CommonJS). */

/** `name` carries a version: a copy of another version must not find state of a shape it does not know. */
export const processWide = <State>(name: string, create: () => State): State => {
  const key = Symbol.for(`@hermes/core:${name}`)
  const known: unknown = Reflect.get(globalThis, key)
  // Whatever stands under this name and version was put there by the same code.
  if (known !== undefined) return known as State
  const created = create()
  Object.defineProperty(globalThis, key, { value: created })
  return created
}
