/** What the commands on files answer, as the published tool words it. */
import { HermesError } from '../../shared/hermes-error.ts'
import { err, type Result } from '../../shared/result.ts'

/** What the model is shown, or why nothing was done. */
export type FileAnswer = Result<string>

export const refuse = (message: string): Result<never> => err(new HermesError('invalid', message))

export const listingOf = (path: string, rows: readonly string[]): string =>
  [
    `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:`,
    `4.0K\t${path}`,
    ...rows,
  ].join('\n')

export const alreadyThere = (path: string): Result<never> => refuse(`File ${path} already exists. Change it with insert or str_replace.`)
