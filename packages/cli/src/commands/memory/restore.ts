/** `hermes memory restore`: restores an archived entry. */
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { findById } from '../../find-by-id.ts'
import { gauge } from '../../terminal/format.ts'
import { readMadeRoom, renderMadeRoom } from './change-memory.ts'
import { inProject, openJournalledMemory, PROJECT } from './open-memory.ts'

export const restoreCommand = defineCommand({
  examples: [['hermes memory restore user-3fa2c1', 'the beginning of an id is enough']],
  options: (parser) =>
    parser
      .option('project', PROJECT)
      .positional('id', { type: 'string', demandOption: true, describe: "its id, as 'hermes memory archived' shows it" }),
  run: async ({ id, project }, from) => {
    const context = inProject(from, project)
    const store = await openJournalledMemory(context)
    const listed = await store.archived()
    if (!listed.ok) return failed(listed.error)
    const found = findById(listed.value, id, 'hermes memory archived')
    if (!found.ok) return failed(found.error)
    const back = await store.restore(found.value.id)
    if (!back.ok) return failed(back.error)
    const { message, usedChars, charLimit, entryCount } = back.value
    const { target, text } = found.value
    const evicted = await readMadeRoom(store, back.value)
    return {
      value: { id: found.value.id, target, text, entryCount, usedChars, charLimit, ...(evicted.length > 0 ? { evicted } : {}) },
      text: (terminal) => `${message}\n${renderMadeRoom(evicted, terminal)}${terminal.paint.dim(`${gauge(usedChars, charLimit)} chars`)}\n`,
    }
  },
})
