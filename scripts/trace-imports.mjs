/**
 * Loads the module named on the command line and prints every import that Node resolved for it, as JSON: `[importing file, specifier][]`.
 */
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
