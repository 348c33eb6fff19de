/** The skills that a grant covers: by name, by category, or all. */
import type { GrantScope, OwnershipGrant } from '@hermes/core/curator'
import type { Argv } from 'yargs'
import { EXIT, type Failure } from '../../answer.ts'

export interface ScopeArgs {
  readonly name: readonly string[]
  readonly category: string | undefined
  readonly all: boolean | undefined
}

export const withScope = <Args>(parser: Argv<Args>): Argv<Args & ScopeArgs> =>
  parser
    .positional('name', { type: 'string', array: true, default: [] as string[], describe: 'names of skills' })
    .option('category', { type: 'string', requiresArg: true, describe: 'a category and all categories below it' })
    .option('all', { type: 'boolean', describe: 'all skills of yours' })

/** `undefined` if no scope is given. */
export const toScope = ({ name, category, all }: ScopeArgs): GrantScope | Failure | undefined => {
  const given = [name.length > 0, category !== undefined, all === true].filter(Boolean).length
  if (given > 1)
    return { code: 'usage', message: 'Give names of skills, --category or --all: only one of the three.', exitCode: EXIT.usage }
  if (all === true) return { all: true }
  if (category !== undefined) return { category }
  return name.length > 0 ? { skills: name } : undefined
}

export const isFailure = (scope: GrantScope | Failure): scope is Failure => 'message' in scope

export const describeScope = (scope: OwnershipGrant['scope']): string => {
  if ('all' in scope) return 'all of your skills'
  return 'category' in scope ? `the category ${scope.category}` : scope.skills.join(', ')
}

/** The scope as command line arguments. */
export const toScopeArguments = (scope: OwnershipGrant['scope']): string => {
  if ('all' in scope) return '--all'
  return 'category' in scope ? `--category ${scope.category}` : scope.skills.join(' ')
}
