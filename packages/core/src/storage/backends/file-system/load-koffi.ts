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

/** `undefined` if koffi is not installed or has no binary for this machine. */
export const loadKoffi = (): typeof Koffi | undefined => {
  for (const place of places()) {
    try {
      return createRequire(place)('koffi')
    } catch {
      // Not found here: try the next place.
    }
  }
  return undefined
}
