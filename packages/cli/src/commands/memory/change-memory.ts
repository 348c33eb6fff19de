/** Shared by the writing verbs: changes the store with the user as the source, and shows what went and how full the store is now. */

import type { Readable } from 'node:stream'
import type { MemoryOp, MemoryOpOutcome, MemoryStore, MemoryTarget } from '@hermes/core'
import type { Argv } from 'yargs'
import { type Answer, type Failure, failed, usage } from '../../answer.ts'
import type { GlobalArgs } from '../../command.ts'
import type { Context } from '../../context.ts'
import { shortEntryId } from '../../find-by-id.ts'
import { cleanText } from '../../terminal/clean-text.ts'
import { hint } from '../../terminal/field-list.ts'
import { gauge, shellQuote } from '../../terminal/format.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { wrapText } from '../../terminal/text-width.ts'
import { MEMORY_STORES } from './memory-view.ts'
import { inProject, openJournalledMemory, PROJECT } from './open-memory.ts'

interface ProjectArgs {
  readonly project: string | undefined
}

export interface StoreArgs extends ProjectArgs {
  readonly to: MemoryTarget
}

const STORE = {
  alias: ['t', 'store'],
  choices: MEMORY_STORES,
  describe: "memory: the agent's own notes; user: what it knows about you; project: notes on the project of --project",
} as const

export const withStore = <Args>(parser: Argv<Args>): Argv<Args & StoreArgs> =>
  parser.option('to', { ...STORE, default: 'memory' as const }).option('project', PROJECT)

/** For verbs that name an entry: without the option, the store is the one that has the entry. */
export interface AnyStoreArgs extends ProjectArgs {
  readonly to: MemoryTarget | undefined
}

export const withAnyStore = <Args>(parser: Argv<Args>): Argv<Args & AnyStoreArgs> =>
  parser
    .option('to', { ...STORE, describe: `${STORE.describe}  [default: the one that has the entry]` })
    .option('project', PROJECT) as unknown as Argv<Args & AnyStoreArgs>

export interface TextArgs {
  readonly text: readonly string[]
  readonly stdin: boolean | undefined
}

export const withText = <Args>(parser: Argv<Args>, describe: string): Argv<Args & TextArgs> =>
  parser
    .positional('text', { type: 'string', array: true, default: [] as string[], describe })
    .option('stdin', { type: 'boolean', describe: 'read the text from stdin' })

export interface TimeArgs {
  readonly from: string | undefined
  readonly until: string | undefined
}

/** The store checks the days. */
export const withTime = <Args>(parser: Argv<Args>): Argv<Args & TimeArgs> =>
  parser
    .option('from', {
      type: 'string',
      requiresArg: true,
      describe: 'first day on which the entry holds, such as 2026-12-01; it is not shown before',
    })
    .option('until', {
      type: 'string',
      requiresArg: true,
      describe: 'last day on which the entry holds, such as 2026-12-04; then it is archived',
    })

/** How the argument that names an entry is described. */
export const WHICH_ENTRY = "text that only this entry contains, or its number in 'hermes memory show': user:2"

const fromStdin = async ({ world, say }: Context): Promise<string | Failure> => {
  if (world.stdin.isTTY === true) say('Type the text, then press Ctrl-D on a line of its own.\n')
  const text = await readText(world.stdin)
  if (text.trim() !== '') return text
  return usage('There is no text on stdin. Pipe it in, or give it in quotes without --stdin.')
}

/** The text from the command line or from stdin; exactly one of them. */
export const readWords = async ({ text, stdin, '--': rest = [] }: GlobalArgs & TextArgs, context: Context): Promise<string | Failure> => {
  const words = [...text, ...rest]
  if (words.length > 0 === (stdin === true)) {
    const message =
      stdin === true
        ? 'Give the text on the command line or with --stdin, not both.'
        : 'Missing text: give it in quotes, or use --stdin to read it from stdin.'
    return usage(message)
  }
  const told = words.join(' ')
  if (stdin === true || told.trim() !== '') return stdin === true ? fromStdin(context) : told
  return usage('The text is empty: give it in quotes, or use --stdin to read it from stdin.')
}

/** How to bring back the entries that a change took away; empty if the archive does not have them. */
const undoOf = async (store: MemoryStore, target: MemoryTarget, texts: readonly string[]): Promise<readonly string[]> => {
  if (texts.length === 0) return []
  const listed = await store.archived(target)
  const archived = listed.ok ? listed.value : []
  return texts.flatMap((text) => {
    const found = archived.find((entry) => entry.text === text)
    const place = store.project === undefined || target !== 'project' ? '' : ` --project ${shellQuote(store.project)}`
    return found ? [`hermes memory restore ${shortEntryId(found.id, archived)}${place}`] : []
  })
}

export const changeMemory = async (op: MemoryOp, { to, project }: GlobalArgs & StoreArgs, from: Context): Promise<Answer> => {
  const context = inProject(from, project)
  // The user typed the words, so they get the user's authority.
  const store = await openJournalledMemory(context)
  const changed = await store.apply(to, op, { origin: 'user' })
  if (!changed.ok) return failed(changed.error)
  const { message, usedChars, charLimit, entryCount, previous, backupPath } = changed.value
  if (backupPath !== undefined) context.warn(`The white space of the file was tidied; the original is kept in '${backupPath}'.`)
  const evicted = await readMadeRoom(store, changed.value)
  const undo = await undoOf(store, to, previous)
  return {
    value: { target: to, message, entryCount, usedChars, charLimit, previous, undo, ...(evicted.length > 0 ? { evicted } : {}) },
    text: (terminal) =>
      [
        `${message}\n`,
        ...previous.map((text) => `  - ${wrapText(cleanText(text), terminal.columns, 4)}\n`),
        ...undo.map((command) => hint(`${op.action === 'remove' ? 'Undo' : 'Bring the old text back'}: ${command}`, terminal)),
        renderMadeRoom(evicted, terminal),
        `${terminal.paint.dim(`${gauge(usedChars, charLimit)} chars`)}\n`,
      ].join(''),
  }
}

export interface MadeRoom {
  readonly text: string
  readonly origin: string
  /** Id in the archive, shortened as in lists. Omitted if the archive cannot be read or does not contain the text. */
  readonly id?: string
}

export const readMadeRoom = async (store: MemoryStore, { target, evicted = [] }: MemoryOpOutcome): Promise<readonly MadeRoom[]> => {
  if (evicted.length === 0) return []
  const listed = await store.archived(target)
  const archived = listed.ok ? listed.value : []
  return evicted.map(({ text, origin }) => {
    const found = archived.find((entry) => entry.text === text)
    return { text, origin, ...(found ? { id: shortEntryId(found.id, archived) } : {}) }
  })
}

const INDENT = 4

export const renderMadeRoom = (made: readonly MadeRoom[], terminal: Terminal): string =>
  made
    .map(({ text, id }) => {
      const line = `  - ${wrapText(cleanText(text), terminal.columns, INDENT)}\n`
      return id === undefined ? line : `${line}${hint(`    Undo: hermes memory restore ${id}`, terminal)}`
    })
    .join('')

/** Removes the final line break. */
const readText = async (input: Readable): Promise<string> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of input) chunks.push(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk)
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '')
}
