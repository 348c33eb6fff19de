/** `node:fs` without `import`, which loads all that it offers: streams, `readline` and the functions of `node:fs/promises` took 7 to 12 % of Node's own start. */
import type * as Files from 'node:fs'
import nodeModule from 'node:module'

// A bundle in CommonJS has no `import.meta.url`; Node's own modules are the same from any path.
const load: NodeJS.Require = nodeModule.createRequire(process.execPath)

export const fs: typeof Files = load('node:fs')
