#!/usr/bin/env node
/** The entry of the `hermes` command. */
import * as nodeModule from 'node:module'

// Compiled code is kept for the next start where this Node can (22.8 and later); a folder that cannot be written to costs nothing but time.
nodeModule.enableCompileCache?.()

// Questions are drawn by a library that knows only the variable.
if (process.argv.includes('--no-color')) process.env['NO_COLOR'] = '1'

// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

const [{ runCli }, { processWorld }] = await Promise.all([import('./run-cli.ts'), import('./world.ts')])
process.exitCode = await runCli(process.argv.slice(2), processWorld())
