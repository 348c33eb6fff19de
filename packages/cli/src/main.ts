#!/usr/bin/env node
/** The entry of the `hermes` command. */
import * as nodeModule from 'node:module'

// Caches compiled code for the next start (Node 22.8 and later). A failure to write the cache is harmless.
nodeModule.enableCompileCache?.()

// The prompt library reads only the environment variable.
if (process.argv.includes('--no-color')) process.env['NO_COLOR'] = '1'

// A closed stdout, as with `head`, is not an error; a full disk is. If stderr is closed, nothing can be reported.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return
  process.stderr.write(`error: The result could not be written: ${error.message}.\n`)
  process.exitCode = 1
})
process.stderr.on('error', () => {})

const [{ runCli }, { processWorld }] = await Promise.all([import('./run-cli.ts'), import('./world.ts')])
const exitCode = await runCli(process.argv.slice(2), processWorld())
process.exitCode ??= exitCode
