/** `hermes memory restore`: the agent remembers again what was taken out. */
import type { ForgottenEntry } from '@hermes/core'
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { findById } from '../../find-by-id.ts'
import { gauge } from '../../terminal/gauge.ts'
import { openJournalledMemory } from './open-memory.ts'

const SHORT_CHARS = 6

/** `user-3fa2c1`: as much of an id as lists show; all of it where another one begins alike. */
export const shortForgottenId = (id: string, among: readonly Pick<ForgottenEntry, 'id'>[]): string => {
  const short = id.slice(0, id.indexOf('-') + 1 + SHORT_CHARS)
  return among.filter((other) => other.id.startsWith(short)).length === 1 ? short : id
}

export const restoreCommand = defineCommand<{ readonly id: string }>({
  usage: 'restore <id>',
  describe: 'Bring an entry back, on the authority it had. Its age stays; limits and scans hold as for any entry.',
  examples: [['hermes memory restore user-3fa2c1', 'the beginning of an id is enough']],
  options: (parser) => parser.positional('id', { type: 'string', demandOption: true, describe: "as 'hermes memory archived' shows it" }),
  run: async ({ id }, context) => {
    const store = await openJournalledMemory(context)
    const listed = await store.archived()
    if (!listed.ok) return failed(listed.error)
    const found = findById(listed.value, id, 'hermes memory archived')
    if (!found.ok) return failed(found.error)
    const back = await store.restore(found.value.id)
    if (!back.ok) return failed(back.error)
    const { message, usedChars, charLimit, entryCount } = back.value
    const { target, text } = found.value
    return {
      value: { id: found.value.id, target, text, entryCount, usedChars, charLimit },
      text: ({ paint }) => `${message}\n${paint.dim(`${gauge(usedChars, charLimit)} chars`)}\n`,
    }
  },
})
