/** `hermes forget`: erases a text, a memory entry or a session from all stored data. Shows what would be erased and asks first. */

import type { Hermes } from '@hermes/core'
import type { ErasedCounts, ForgetReceipt, ForgetTarget } from '@hermes/core/portability'
import { type Answer, type Failure, failed, isFailure, usage } from '../answer.ts'
import { defineCommand, type GlobalArgs } from '../command.ts'
import type { Context } from '../context.ts'
import { askFirst } from '../terminal/ask-first.ts'
import { oneLine } from '../terminal/clean-text.ts'
import { type Field, renderFields } from '../terminal/field-list.ts'
import { counted, formatCount } from '../terminal/format.ts'
import { forStderr, type Terminal } from '../terminal/terminal.ts'
import { readWords, type TextArgs, withText } from './memory/change-memory.ts'

interface ForgetArgs extends TextArgs {
  readonly entry: string | undefined
  readonly session: string | undefined
  readonly yes: boolean | undefined
  readonly 'dry-run': boolean | undefined
}

const KINDS: Readonly<Record<keyof ErasedCounts, string>> = {
  memoryEntries: 'memory entries',
  archivedEntries: 'archived entries',
  memoryCopies: 'copies of memory files',
  journalRecords: 'journal records',
  heldProposals: 'held proposals',
  sessions: 'session records',
  archivedSkillFiles: 'archived skill files',
  backups: 'backups of skills',
  otherDocuments: 'reports and other documents',
  providerItems: 'things in the memory provider',
}

const renderErased = ({ erased, projects }: ForgetReceipt, terminal: Terminal): string =>
  renderFields(
    [
      ...Object.entries(erased).map(
        ([kind, count]): Field => [KINDS[kind as keyof ErasedCounts], count > 0 ? formatCount(count) : undefined],
      ),
      ['also of projects', projects.length > 0 ? projects.map(oneLine).join(', ') : undefined],
    ],
    terminal,
  )

/** Not what a memory provider or a killed program still holds. */
const isDocument = ({ path }: ForgetReceipt['remaining'][number]): boolean => path !== 'temporary-files' && !path.startsWith('provider:')

const places = ({ remaining }: ForgetReceipt): string => counted(remaining.length, remaining.every(isDocument) ? 'document' : 'place')

const renderRemaining = (receipt: ForgetReceipt, terminal: Terminal): string =>
  receipt.remaining.length === 0
    ? ''
    : `Remains in ${places(receipt)}:\n${renderFields(
        receipt.remaining.map(({ path, reason }) => [path, reason]),
        terminal,
      )}`

const totalOf = ({ erased }: ForgetReceipt): number => Object.values(erased).reduce((sum: number, count: number) => sum + count, 0)

/** What to forget: exactly one of a text, an entry and a session. */
const readTarget = async (args: GlobalArgs & ForgetArgs, context: Context): Promise<ForgetTarget | Failure> => {
  const { text, stdin, entry, session, '--': rest = [] } = args
  const hasText = text.length + rest.length > 0 || stdin === true
  if ([hasText, entry !== undefined, session !== undefined].filter(Boolean).length !== 1)
    return usage(
      'Missing what to forget: give a text, --entry with text that one memory entry contains, or --session with an id; only one of the three.',
    )
  if (entry !== undefined) return { entry }
  return session === undefined ? readWords(args, context) : { session }
}

const answer = (receipt: ForgetReceipt): Answer => {
  const { remaining, dryRun } = receipt
  const total = totalOf(receipt)
  const nothing = remaining.length === 0 ? 'Nothing in this home contains it.\n' : 'There is nothing to erase.\n'
  const head = dryRun ? 'This would be erased:\n' : 'Erased permanently:\n'
  return {
    value: receipt,
    text: (terminal) => (total === 0 ? nothing : head + renderErased(receipt, terminal)) + renderRemaining(receipt, terminal),
    ...(remaining.length === 0
      ? {}
      : failed({ code: 'incomplete', message: `It remains, or may remain, in ${places(receipt)} of this home.` })),
  }
}

const forgetIn = async (
  hermes: Hermes,
  target: ForgetTarget,
  { yes, 'dry-run': dryRun }: ForgetArgs,
  context: Context,
): Promise<Answer> => {
  if (yes === true && dryRun !== true) {
    const done = await hermes.forget(target)
    return done.ok ? answer(done.value) : failed(done.error)
  }
  const planned = await hermes.forget(target, { dryRun: true })
  if (!planned.ok) return failed(planned.error)
  if (dryRun === true || totalOf(planned.value) === 0) return answer(planned.value)
  const shown = forStderr(context.terminal)
  context.say(`This would be erased:\n${renderErased(planned.value, shown)}${renderRemaining(planned.value, shown)}`)
  const refused = await askFirst('Erase it permanently? This cannot be undone.', yes, context)
  if (refused) return refused
  const done = await hermes.forget(target)
  return done.ok ? answer(done.value) : failed(done.error)
}

export const forgetCommand = defineCommand<ForgetArgs>({
  describe: 'Erase a text, a memory entry or a session from all data of the home. Asks first.',
  examples: [
    ['hermes forget "Calle Mayor 5"', 'wherever it is: memory, journal, sessions, backups'],
    ['hermes forget --entry Lisbon', 'the one memory entry that contains the word'],
    ['hermes forget --session chat-42 --yes', 'a session and what it wrote, without confirmation'],
    ['hermes forget --stdin --yes < secret.txt', 'a text that must not be in the shell history'],
  ],
  takesWords: true,
  options: (parser) =>
    withText(parser, 'the text; at least 3 characters')
      .option('entry', { type: 'string', requiresArg: true, describe: 'text that one memory entry contains' })
      .option('session', { type: 'string', requiresArg: true, describe: 'the id of a session' })
      .option('yes', { alias: 'y', type: 'boolean', describe: 'do not ask' })
      .option('dry-run', { type: 'boolean', describe: 'only show what would be erased' }),
  run: async (args, context) => {
    const target = await readTarget(args, context)
    if (isFailure(target)) return failed(target)
    const { NOT_ERASED, openWithProvider } = await import('../open-hermes.ts')
    return forgetIn(await openWithProvider(context, { unasked: NOT_ERASED }), target, args, context)
  },
})
