#!/usr/bin/env node
/** The entry of the `hermes` command. */
import * as nodeModule from 'node:module'

// Compiled code is kept for the next start where this Node can (22.8 and later); a folder that cannot be written to costs nothing but time.
nodeModule.enableCompileCache?.()

// Questions are drawn by a library that knows only the variable.
if (process.argv.includes('--no-color')) process.env['NO_COLOR'] = '1'

// A reader that has seen enough, such as `head`, is no failure; a full disk is one. With stderr gone there is nobody left to tell.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return
  process.stderr.write(`error: The result could not be written: ${error.message}.\n`)
  process.exitCode = 1
})
process.stderr.on('error', () => {})

const [{ runCli }, { processWorld }] = await Promise.all([import('./run-cli.ts'), import('./world.ts')])
const exitCode = await runCli(process.argv.slice(2), processWorld())
process.exitCode ??= exitCode
