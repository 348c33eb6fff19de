/** The program of the hooks: see hook/hook-program.ts, which is loaded from the cache of compiled code. */
import { keepCompiledCode } from './compiled-code.ts'

keepCompiledCode()

// While an update replaces the programs, some are missing.
import('../hook/hook-program.ts')
  .then(({ hookProgram }) => hookProgram(process.argv[1] ?? ''))
  .catch((cause: unknown) => {
    process.stderr.write(`hermes: ${cause instanceof Error ? cause.message.split('\n')[0] : String(cause)}\n`)
  })
