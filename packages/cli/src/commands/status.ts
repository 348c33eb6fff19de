/** `hermes status`: how full memory is, what waits for the person, and what was learned last. */

import { type Answer, failed } from '../answer.ts'
import { defineCommand } from '../command.ts'
import type { Context } from '../context.ts'
import { oneLine } from '../terminal/clean-text.ts'
import { type Field, renderFields } from '../terminal/field-list.ts'
import { counted, gauge, relativeTime } from '../terminal/format.ts'
import { summariseOp } from './journal/describe-op.ts'
import { openJournal, openPending } from './journal/read-journal.ts'
import { FILES, readAllStores, type StoreView } from './memory/memory-view.ts'
import { readSkillLibrary } from './skills/library.ts'
import { summarise } from './skills/list.ts'

const storeField = ({ target, enabled, entries, usedChars, charLimit }: StoreView): Field => [
  FILES[target],
  enabled ? `${gauge(usedChars, charLimit)} chars, ${counted(entries.length, 'entry', 'entries')}` : 'switched off in config.yaml',
]

const readStatus = async (context: Context): Promise<Answer> => {
  const { home, clock, warn } = context
  const { stores: all, projects, problems } = await readAllStores(context)
  const isNotes = ({ target }: StoreView) => target === 'project'
  const stores = all.filter((store) => !isNotes(store))
  const notes = all.filter(isNotes).reduce((sum, { entries }) => sum + entries.length, 0)
  for (const { message } of problems) warn(message)
  const library = await readSkillLibrary(context)
  if (!library.ok) return failed(library.error)
  const { skills, archivedCount } = library.value
  const pending = await openPending(context).list()
  if (!pending.ok) return failed(pending.error)
  const written = await openJournal(context).list({ kind: 'applied', limit: 1 })
  if (!written.ok) return failed(written.error)
  const last = written.value.at(-1)
  const waits = pending.value.length
  const fields: readonly Field[] = [
    ...stores.map(storeField),
    ['projects', projects.length === 0 ? undefined : `${counted(projects.length, 'project')}, ${counted(notes, 'entry', 'entries')}`],
    ['skills', summarise(skills, archivedCount)],
    ['waits', waits === 0 ? 'nothing' : `${counted(waits, 'proposal')}: 'hermes pending' asks you about each`],
    ['last write', last ? `${relativeTime(last.at, clock())}${last.op ? `, ${oneLine(summariseOp(last.op, last))}` : ''}` : 'none yet'],
  ]
  return {
    value: {
      home,
      stores: stores.map(({ entries, ...store }) => ({ ...store, entryCount: entries.length })),
      ...(projects.length === 0 ? {} : { projects }),
      skills: { count: skills.length, archivedCount },
      pendingCount: waits,
      lastWrite: last && { id: last.id, at: last.at },
    },
    text: (terminal) => `${terminal.paint.bold(oneLine(home))}\n${renderFields(fields, terminal)}`,
  }
}

export const statusVerb = defineCommand({
  describe: 'Show on one screen how full memory is, what waits for you, and what was learned last.',
  examples: [
    ['hermes status', 'a first look'],
    ['hermes status --json', 'the same for programs'],
  ],
  onlyReads: true,
  run: (_args, context) => readStatus(context),
})
