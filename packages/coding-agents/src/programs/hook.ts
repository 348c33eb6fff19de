/** The program of the hooks: see hook/hook-program.ts, which is loaded from the cache of compiled code. */
import nodeModule from 'node:module'

nodeModule.enableCompileCache?.()

const { hookProgram } = await import('../hook/hook-program.ts')
await hookProgram(import.meta.url)
