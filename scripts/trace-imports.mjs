/** Loads the module named on the command line and prints, as JSON, every import Node resolved for it: `[importing file, specifier][]`. */
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

const imports = []
registerHooks({
  resolve(specifier, context, nextResolve) {
    imports.push([context.parentURL ?? '', specifier])
    return nextResolve(specifier, context)
  },
})
await import(pathToFileURL(process.argv[2]).href)
process.stdout.write(JSON.stringify(imports))
