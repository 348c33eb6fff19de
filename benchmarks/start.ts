/**
 * What a start takes.
 * - `core`: importing core in a new process, up to the block of the prompt, and its size in a bundle.
 * - `command`: whole `hermes` commands. `--skills 300,10000`, `--rounds 5`, `--main <file>`: another build of the command, in the same rounds.
 * - `files`: source files of core that one turn enters. `--list`: which.
 */
import { measureCommand } from './start/command.ts'
import { measureCore } from './start/core.ts'
import { measureFiles } from './start/files.ts'

export const parts = { core: measureCore, command: measureCommand, files: measureFiles }
