/** Loads the optional package koffi at run time, hidden from bundlers: its native binary cannot be part of a bundle. */
import nodeModule from 'node:module'
import type Koffi from 'koffi'

// Bundlers follow `import('koffi')` and `createRequire(…)('koffi')` and then fail on the binary or omit it. They do not follow this.
const { createRequire } = process.getBuiltinModule?.('node:module') ?? nodeModule

/**
 * First beside this package; for a bundle, beside the program that was started. Never in the working directory, which may be untrusted:
 * koffi is native code.
 */
const places = (): readonly string[] => [import.meta.url, ...process.argv.slice(1, 2)]

/** What is used of koffi; its native part has it too. */
export type NativeCalls = Pick<typeof Koffi, 'load' | 'errno' | 'os'>

/** koffi's own dependency with the binary for this machine. Loading the rest of koffi as well takes more than twice as long. */
const nativePart = (koffi: string): NativeCalls => createRequire(koffi)(`@koromix/koffi-${process.platform}-${process.arch}`)

const loadAt = (place: string): NativeCalls => {
  const require = createRequire(place)
  const koffi = require.resolve('koffi')
  try {
    return nativePart(koffi)
  } catch {
    // Built from source, or laid out in another way: koffi finds it.
    return require(koffi)
  }
}

/** `undefined` if koffi is not installed or has no binary for this machine. */
export const loadKoffi = (): NativeCalls | undefined => {
  for (const place of places()) {
    try {
      return loadAt(place)
    } catch {
      // Not found here: try the next place.
    }
  }
  return undefined
}
