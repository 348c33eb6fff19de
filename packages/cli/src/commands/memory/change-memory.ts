/** Shared by the writing verbs: changes the store with the user as the source, and shows what went and how full the store is now. */
import type { MemoryOp, MemoryStore, MemoryTarget } from '@hermes/core'
import type { Argv } from 'yargs'
import { type Answer, EXIT, type Failure, failed } from '../../answer.ts'
import type { GlobalArgs } from '../../command.ts'
import type { Context } from '../../context.ts'
import { cleanText } from '../../terminal/clean-text.ts'
import { gauge } from '../../terminal/gauge.ts'
import { hint } from '../../terminal/hint.ts'
import { readText } from '../../terminal/read-text.ts'
import { wrapText } from '../../terminal/wrap-text.ts'
import { readMadeRoom, renderMadeRoom } from './made-room.ts'
import { MEMORY_STORES } from './memory-view.ts'
import { openJournalledMemory } from './open-memory.ts'
import { shortEntryId } from './short-entry-id.ts'

export interface StoreArgs {
  readonly to: MemoryTarget
}

const STORE = {
  alias: ['t', 'store'],
  choices: MEMORY_STORES,
  describe: "memory: the agent's own notes; user: what it knows about you",
} as const

export const withStore = <Args>(parser: Argv<Args>): Argv<Args & StoreArgs> => parser.option('to', { ...STORE, default: 'memory' as const })

/** For verbs that name an entry: without the option, the store is the one that has the entry. */
export interface AnyStoreArgs {
  readonly to: MemoryTarget | undefined
}

export const withAnyStore = <Args>(parser: Argv<Args>): Argv<Args & AnyStoreArgs> =>
  parser.option('to', { ...STORE, describe: `${STORE.describe}  [default: the one that has the entry]` }) as Argv<Args & AnyStoreArgs>

export interface TextArgs {
  readonly text: readonly string[]
  readonly stdin: boolean | undefined
}

export const withText = <Args>(parser: Argv<Args>, describe: string): Argv<Args & TextArgs> =>
  parser
    .positional('text', { type: 'string', array: true, default: [] as string[], describe })
    .option('stdin', { type: 'boolean', describe: 'read the text from stdin' })

/** How the argument that names an entry is described. */
export const WHICH_ENTRY = "text that only this entry contains, or its number in 'hermes memory show': user:2"

const fromStdin = async ({ world, say }: Context): Promise<string | Failure> => {
  if (world.stdin.isTTY === true) say('Type the text, then press Ctrl-D on a line of its own.\n')
  const text = await readText(world.stdin)
  if (text.trim() !== '') return text
  return { code: 'usage', message: 'There is no text on stdin. Pipe it in, or give it in quotes without --stdin.', exitCode: EXIT.usage }
}

/** The text from the command line or from stdin; exactly one of them. */
export const readWords = async ({ text, stdin, '--': rest = [] }: GlobalArgs & TextArgs, context: Context): Promise<string | Failure> => {
  const words = [...text, ...rest]
  if (words.length > 0 === (stdin === true)) {
    const message =
      stdin === true
        ? 'Give the text on the command line or with --stdin, not both.'
        : 'Missing text: give it in quotes, or use --stdin to read it from stdin.'
    return { code: 'usage', message, exitCode: EXIT.usage }
  }
  const told = words.join(' ')
  if (stdin === true || told.trim() !== '') return stdin === true ? fromStdin(context) : told
  return { code: 'usage', message: 'The text is empty: give it in quotes, or use --stdin to read it from stdin.', exitCode: EXIT.usage }
}

/** How to bring back the entries that a change took away; empty if the archive does not have them. */
const undoOf = async (store: MemoryStore, target: MemoryTarget, texts: readonly string[]): Promise<readonly string[]> => {
  if (texts.length === 0) return []
  const listed = await store.archived(target)
  const archived = listed.ok ? listed.value : []
  return texts.flatMap((text) => {
    const found = archived.find((entry) => entry.text === text)
    return found ? [`hermes memory restore ${shortEntryId(found.id, archived)}`] : []
  })
}

export const changeMemory = async (op: MemoryOp, { to }: GlobalArgs & StoreArgs, context: Context): Promise<Answer> => {
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
