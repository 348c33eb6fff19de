/** `node:fs` without `import`, which loads all that it offers: streams, `readline` and the functions of `node:fs/promises` took a tenth of what a new process needs. */
import type * as Files from 'node:fs'
import nodeModule from 'node:module'

const load: NodeJS.Require = nodeModule.createRequire(import.meta.url)

export const fs: typeof Files = load('node:fs')
