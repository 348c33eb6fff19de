/** Aliases for the tests of core: the kits of `@hermes/testing` as sources, over the sources of core instead of its build. */
import { join } from 'node:path'
import { packageEntries } from '../package-entries.ts'

const PACKAGES = join(import.meta.dirname, '../../packages')

export const CORE_SOURCES = ['core', 'testing'].flatMap((name) =>
  packageEntries(join(PACKAGES, name)).map(({ specifier, source }) => ({
    find: new RegExp(`^${specifier}$`),
    replacement: join(PACKAGES, name, source),
  })),
)
