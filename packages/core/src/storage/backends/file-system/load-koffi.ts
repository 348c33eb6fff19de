/** Loads the optional package koffi when the program runs, out of sight of bundlers: its native binary cannot be part of a bundle. */
import nodeModule from 'node:module'
import type Koffi from 'koffi'

// Bundlers read `import('koffi')` and `createRequire(…)('koffi')`, and then fail on the binary or leave it behind. They do not look behind this.
const { createRequire } = process.getBuiltinModule?.('node:module') ?? nodeModule

/** Beside this package first; a bundle finds koffi beside the program that was started. Never in the working directory, which may be anybody's: koffi is native code. */
const places = (): readonly string[] => [import.meta.url, ...process.argv.slice(1, 2)]

/** `undefined` where koffi is not installed, or has no binary for this machine. */
export const loadKoffi = (): typeof Koffi | undefined => {
  for (const place of places()) {
    try {
      return createRequire(place)('koffi')
    } catch {
      // Not here: the next place may have it.
    }
  }
  return undefined
}
