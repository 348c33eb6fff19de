/** Next.js may load a module more than once in a process. */
export const once = <T>(name: string, create: () => T): T => {
  const key = Symbol.for(`ai-chatbot.${name}`)
  const kept: T = Reflect.get(globalThis, key) ?? create()
  Reflect.set(globalThis, key, kept)
  return kept
}
