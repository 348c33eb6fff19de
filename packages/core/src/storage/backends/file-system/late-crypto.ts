/** `node:crypto`, loaded when it is first used: it is the largest part of Node that a new process waits for, and reading memory needs none of it. */
import type * as nodeCrypto from 'node:crypto'
import nodeModule from 'node:module'

let loaded: typeof nodeCrypto | undefined

// Also without the copy of all exports that an `import` makes.
export const lateCrypto = (): typeof nodeCrypto => {
  loaded ??= process.getBuiltinModule?.('node:crypto') ?? nodeModule.createRequire(import.meta.url)('node:crypto')
  return loaded
}
