/** Loads the optional package koffi when the program runs, out of sight of bundlers: its native binary cannot be part of a bundle. */
import nodeModule from 'node:module'
import { join } from 'node:path'
import type Koffi from 'koffi'

// Bundlers read `import('koffi')` and `createRequire(…)('koffi')`, and then fail on the binary or leave it behind. They do not look behind this.
const { createRequire } = process.getBuiltinModule?.('node:module') ?? nodeModule

/** Beside this package first; a bundle that was moved finds koffi in the folder that the program runs in. */
const places = (): readonly string[] => [import.meta.url, join(process.cwd(), 'package.json')]

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
