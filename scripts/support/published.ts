/** Folders in `packages/` of the packages that are published. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGES = join(import.meta.dirname, '../../packages')

const isPublished = (name: string): boolean => {
  const manifest: { readonly private?: boolean } = JSON.parse(readFileSync(join(PACKAGES, name, 'package.json'), 'utf8'))
  return manifest.private !== true
}

export const PUBLISHED: readonly string[] = readdirSync(PACKAGES).filter(isPublished)

/** Those that a program can import: `npm create @hermes` is a command alone. */
export const IMPORTED: readonly string[] = PUBLISHED.filter((name) => name !== 'create')
