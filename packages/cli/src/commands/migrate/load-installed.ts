/** Loads a package that the command does not bring along: that of the project in the current folder, else one beside the command. */
import { createRequire } from 'node:module'
import { join } from 'node:path'

interface Found {
  readonly path: string
  readonly load: () => unknown
}

const findFrom = (place: string, name: string): Found | undefined => {
  const require = createRequire(place)
  try {
    const path = require.resolve(name)
    return { path, load: () => require(path) }
  } catch {
    return undefined
  }
}

/** Undefined if it is not installed. Throws what the package throws while it is loaded. */
export const loadInstalled = (name: string): unknown =>
  (findFrom(join(process.cwd(), 'package.json'), name) ?? findFrom(import.meta.filename, name))?.load()
