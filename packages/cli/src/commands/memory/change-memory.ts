/** Shared by the writing verbs: changes the store with the user as the source, and shows what went and how full the store is now. */
import type { MemoryOp, MemoryStore, MemoryTarget } from '@hermes/core'
import type { Argv } from 'yargs'
import { type Answer, EXIT, type Failure, failed } from '../../answer.ts'
import type { GlobalArgs } from '../../command.ts'
import type { Context } from '../../context.ts'
import { cleanText, oneLine } from '../../terminal/clean-text.ts'
import { gauge } from '../../terminal/gauge.ts'
import { hint } from '../../terminal/hint.ts'
import { readText } from '../../terminal/read-text.ts'
import { wrapText } from '../../terminal/wrap-text.ts'
import { readMadeRoom, renderMadeRoom } from './made-room.ts'
import { FILES, MEMORY_STORES } from './memory-view.ts'
import { openJournalledMemory, openMemory } from './open-memory.ts'
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
  return stdin === true ? fromStdin(context) : words.join(' ')
}

/** The store with the entry, as the store itself matches it: an entry equal to the text, else one that contains it. */
export const findStore = async (text: string, named: MemoryTarget | undefined, context: Context): Promise<MemoryTarget | Failure> => {
  if (named !== undefined) return named
  const store = openMemory(context, () => {})
  const wanted = text.trim()
  const has: Record<'equal' | 'inside', MemoryTarget[]> = { equal: [], inside: [] }
  let unread: Failure | undefined
  for (const target of MEMORY_STORES) {
    const facts = await store.facts(target)
    if (!facts.ok) {
      unread = facts.error
      continue
    }
    const entries = facts.value.map(({ entry }) => entry)
    if (entries.includes(wanted)) has.equal.push(target)
    if (wanted !== '' && entries.some((entry) => entry.includes(wanted))) has.inside.push(target)
  }
  const [first, second] = has.equal.length > 0 ? has.equal : has.inside
  const shown = oneLine(wanted).slice(0, 80)
  if (first && second) {
    const message = `Both ${FILES.memory} and ${FILES.user} have an entry that contains '${shown}'. Name one with --to memory or --to user.`
    return { code: 'ambiguous', message }
  }
  // Its entry may be in the store that cannot be read.
  if (first === undefined && unread) return unread
  // The store says what is wrong with a blank text.
  if (first !== undefined || wanted === '') return first ?? 'memory'
  const message = `No entry of ${FILES.memory} or ${FILES.user} contains '${shown}'. 'hermes memory show' lists the entries; upper and lower case count.`
  return { code: 'not_found', message }
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
