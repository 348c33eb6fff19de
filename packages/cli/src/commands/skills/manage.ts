/** `hermes skills manage`: lets the curator manage a person's skills, or lists these grants; `unmanage` takes them back. */

import { GRANTED_STEPS, type GrantScope, listGrants, type OwnershipGrant } from '@hermes/core/curator'
import type { Argv } from 'yargs'
import { type Answer, type Failure, failed, isFailure, usage } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { hint } from '../../terminal/field-list.ts'
import { formatInstant, relativeTime } from '../../terminal/format.ts'
import { type Column, renderTable } from '../../terminal/table.ts'
import { wrapText } from '../../terminal/text-width.ts'
import { openCurator } from '../curator/open-curator.ts'
import { describeScope, openSkills } from './library.ts'

interface ScopeArgs {
  readonly name: readonly string[]
  readonly category: string | undefined
  readonly all: boolean | undefined
}

const withScope = <Args>(parser: Argv<Args>): Argv<Args & ScopeArgs> =>
  parser
    .positional('name', { type: 'string', array: true, default: [] as string[], describe: 'names of skills' })
    .option('category', { type: 'string', requiresArg: true, describe: 'a category and all categories below it' })
    .option('all', { type: 'boolean', describe: 'all skills of yours' })

/** `undefined` if no scope is given. */
const toScope = ({ name, category, all }: ScopeArgs): GrantScope | Failure | undefined => {
  const given = [name.length > 0, category !== undefined, all === true].filter(Boolean).length
  if (given > 1) return usage('Give names of skills, --category or --all: only one of the three.')
  if (all === true) return { all: true }
  if (category !== undefined) return { category }
  return name.length > 0 ? { skills: name } : undefined
}

/** The scope as command line arguments. */
const toScopeArguments = (scope: OwnershipGrant['scope']): string => {
  if ('all' in scope) return '--all'
  return 'category' in scope ? `--category ${scope.category}` : scope.skills.join(' ')
}

const toColumns = (now: number): readonly Column<OwnershipGrant>[] => [
  { title: 'SKILLS', cell: ({ scope }) => describeScope(scope), least: 20 },
  { title: 'MAY', cell: ({ allow }) => allow.join(', ') },
  { title: 'UNTIL', cell: ({ until }) => (until === undefined ? 'you take it back' : relativeTime(until, now)), least: 8 },
  { title: 'SINCE', cell: ({ grantedAt }) => (grantedAt === 0 ? '' : relativeTime(grantedAt, now)), drop: 1 },
]

const listAll = async ({ storage, clock }: Context): Promise<Answer> => {
  const listed = await listGrants(storage, clock)
  if (!listed.ok) return failed(listed.error)
  const { grants } = listed.value
  return {
    value: { grants },
    text: ({ columns, paint }) =>
      grants.length === 0
        ? `${wrapText("No skills are handed over: the curator manages only the agent's own skills.", columns)}\n`
        : renderTable(toColumns(clock()), grants, { columns, paint }),
  }
}

const readUntil = (value: string | readonly string[]): number => {
  const at = /^\d{4}-\d{2}-\d{2}/.test(String(value)) ? Date.parse(String(value)) : Number.NaN
  if (Number.isNaN(at)) throw new Error(`--until takes a date such as 2027-01-31, not '${String(value)}'.`)
  return at
}

/** A grant may precede its skill, but an unknown name is more often misspelt. */
const warnOfUnknown = async (names: readonly string[], context: Context): Promise<void> => {
  const listed = await openSkills(context).list()
  if (!listed.ok) return
  const known = new Set(listed.value.skills.map(({ name }) => name))
  for (const name of names.filter((one) => !known.has(one))) {
    context.warn(`There is no skill '${name}' yet. If the name is misspelt, take it back: hermes skills unmanage ${name}`)
  }
}

export const manageCommand = defineCommand({
  examples: [
    ['hermes skills manage', 'what is handed over'],
    ['hermes skills manage parse-csv --allow stale archive', 'may be marked as stale and archived, never rewritten'],
    ['hermes skills manage --category scratch --until 2027-01-31', 'a whole category, for a while'],
  ],
  lists: ['allow'],
  options: (parser) =>
    withScope(parser)
      .option('allow', {
        choices: GRANTED_STEPS,
        array: true,
        requiresArg: true,
        describe: 'what the curator may do with them; everything by default',
      })
      .option('until', { coerce: readUntil, requiresArg: true, describe: 'the day on which this ends, such as 2027-01-31' }),
  run: async (args, context) => {
    const scope = toScope(args)
    if (scope === undefined && args.allow === undefined && args.until === undefined) return listAll(context)
    if (scope === undefined) return failed(usage('Missing skills: give their names, --category or --all.'))
    if (isFailure(scope)) return failed(scope)
    const curator = await openCurator(context)
    const terms = { ...(args.allow ? { allow: args.allow } : {}), until: args.until }
    const granted = await curator.manage(scope, terms)
    if (!granted.ok) return failed(granted.error)
    if ('skills' in scope) await warnOfUnknown(scope.skills, context)
    const { allow, until } = granted.value
    const end = until === undefined ? 'until you take it back with hermes skills unmanage' : `until ${formatInstant(until)}`
    return {
      value: { grant: granted.value },
      text: ({ columns }) => `${wrapText(`The curator may now manage ${describeScope(scope)} (${allow.join(', ')}) ${end}.`, columns)}\n`,
    }
  },
})

export const unmanageCommand = defineCommand<ScopeArgs>({
  examples: [
    ['hermes skills unmanage parse-csv', 'one skill'],
    ['hermes skills unmanage --category scratch', 'a category, if it was handed over as a category'],
  ],
  options: (parser) => withScope(parser),
  run: async (args, context) => {
    const scope = toScope(args)
    if (scope === undefined) return failed(usage('Missing skills: give their names, --category or --all.'))
    if (isFailure(scope)) return failed(scope)
    const curator = await openCurator(context)
    const left = await curator.unmanage(scope)
    if (!left.ok) return failed(left.error)
    return {
      value: { grants: left.value },
      text: (terminal) =>
        `Taken back: ${describeScope(scope)}.\n${hint(`Undo: hermes skills manage ${toScopeArguments(scope)}`, terminal)}`,
    }
  },
})
