/** Shared by the three writing verbs: changes the store with the user as the source, and shows how full the store is afterwards. */
import type { MemoryOp, MemoryTarget } from '@hermes/core'
import type { Argv } from 'yargs'
import { type Answer, EXIT, type Failure, failed } from '../../answer.ts'
import type { GlobalArgs } from '../../command.ts'
import type { Context } from '../../context.ts'
import { gauge } from '../../terminal/gauge.ts'
import { readText } from '../../terminal/read-text.ts'
import { readMadeRoom, renderMadeRoom } from './made-room.ts'
import { MEMORY_STORES } from './memory-view.ts'
import { openJournalledMemory } from './open-memory.ts'

export interface StoreArgs {
  readonly to: MemoryTarget
}

export const withStore = <Args>(parser: Argv<Args>): Argv<Args & StoreArgs> =>
  parser.option('to', {
    alias: 't',
    choices: MEMORY_STORES,
    default: 'memory' as const,
    describe: "memory: the agent's own notes; user: what it knows about you",
  })

export interface TextArgs {
  readonly text: readonly string[]
  readonly stdin: boolean | undefined
}

export const withText = <Args>(parser: Argv<Args>, describe: string): Argv<Args & TextArgs> =>
  parser
    .positional('text', { type: 'string', array: true, default: [] as string[], describe })
    .option('stdin', { type: 'boolean', describe: 'read the text from stdin' })

/** The text from the command line or from stdin; exactly one of them. */
export const readWords = async ({ text, stdin, '--': rest = [] }: GlobalArgs & TextArgs, { world }: Context): Promise<string | Failure> => {
  const words = [...text, ...rest]
  if (words.length > 0 === (stdin === true)) {
    const message =
      stdin === true
        ? 'Give the text on the command line or with --stdin, not both.'
        : 'Missing text: give it in quotes, or use --stdin to read it from stdin.'
    return { code: 'usage', message, exitCode: EXIT.usage }
  }
  return stdin === true ? readText(world.stdin) : words.join(' ')
}

export const changeMemory = async (op: MemoryOp, { to }: GlobalArgs & StoreArgs, context: Context): Promise<Answer> => {
  // The user typed the words, so they get the user's authority.
  const store = await openJournalledMemory(context)
  const changed = await store.apply(to, op, { origin: 'user' })
  if (!changed.ok) return failed(changed.error)
  const { message, usedChars, charLimit, entryCount, previous, backupPath } = changed.value
  if (backupPath !== undefined) context.warn(`The white space of the file was tidied; the original is kept in '${backupPath}'.`)
  const evicted = await readMadeRoom(store, changed.value)
  return {
    value: { target: to, message, entryCount, usedChars, charLimit, previous, ...(evicted.length > 0 ? { evicted } : {}) },
    text: (terminal) => `${message}\n${renderMadeRoom(evicted, terminal)}${terminal.paint.dim(`${gauge(usedChars, charLimit)} chars`)}\n`,
  }
}
