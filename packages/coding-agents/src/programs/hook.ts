/** The program of the hooks: see hook/hook-program.ts, which is loaded from the cache of compiled code. */
import { keepCompiledCode } from './compiled-code.ts'

keepCompiledCode()

try {
  const { hookProgram } = await import('../hook/hook-program.ts')
  await hookProgram(import.meta.url)
} catch (cause) {
  // While an update replaces the programs, some are missing.
  process.stderr.write(`hermes: ${cause instanceof Error ? cause.message.split('\n')[0] : String(cause)}\n`)
}
