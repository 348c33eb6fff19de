/** Next.js may load a module more than once in one process: for pages, for routes, and after each edit in development. */
export const oncePerProcess = <T>(name: string, create: () => T): T => {
  const key = Symbol.for(`next-chat.${name}`)
  const kept: T = Reflect.get(globalThis, key) ?? create()
  Reflect.set(globalThis, key, kept)
  return kept
}
