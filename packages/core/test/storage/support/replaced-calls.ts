/** Puts functions in the place of those that call the disk: the tests of such a file share a process with others. */
import fs from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, beforeEach, type MockInstance, vi } from 'vitest'

type Replaced<Calls> = { readonly [Name in keyof Calls]?: (...args: never[]) => unknown }

const replaceIn = <Calls extends object>(calls: Calls, replacements: (real: Calls) => Replaced<Calls>): void => {
  let spies: readonly MockInstance[] = []
  beforeEach(() => {
    const functions = Object.entries<unknown>(replacements({ ...calls }))
    spies = functions.map(([name, replacement]) =>
      vi.spyOn(calls as Record<string, () => unknown>, name).mockImplementation(replacement as () => unknown),
    )
    syncBuiltinESMExports()
  })
  afterEach(() => {
    for (const spy of spies) spy.mockRestore()
    syncBuiltinESMExports()
  })
}

/** The functions of `node:fs` with a callback, for each test of the file. `replacements` is called with the real functions before each test. */
export const replaceFileCalls = (replacements: (real: typeof fs) => Replaced<typeof fs>): void => replaceIn(fs, replacements)

/** The same for the functions of `node:fs/promises`. */
export const replacePromises = (replacements: (real: typeof promises) => Replaced<typeof promises>): void =>
  replaceIn(promises, replacements)
