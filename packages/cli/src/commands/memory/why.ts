/** `hermes memory why`: the source of an entry and all journal records about it. */
import type { JournalRecord } from '@hermes/core'
import { type ArchivedEntry, describeTime, type SharedNote } from '@hermes/core/memory'
import { failed } from '../../answer.ts'
import { wholeNumber } from '../../arguments.ts'
import { defineCommand } from '../../command.ts'
import { shortEntryId, shortId } from '../../find-by-id.ts'
import { type Field, hint, renderFields } from '../../terminal/field-list.ts'
import { counted, relativeTime } from '../../terminal/format.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { describeAction, describeUpkeep, operationText } from '../journal/describe-op.ts'
import { paintKind } from '../journal/list.ts'
import { openJournal } from '../journal/read-journal.ts'
import { findByNumber, listEntries, type NamedEntry } from './find-entry.ts'
import { FILES } from './memory-view.ts'
import { inProject, openMemory, PROJECT, readTeamNotes } from './open-memory.ts'

interface Story {
  readonly entries: readonly NamedEntry[]
  readonly archived: readonly ArchivedEntry[]
  /** Of the team. */
  readonly shared: readonly SharedNote[]
  /** Newest last. */
  readonly records: readonly JournalRecord[]
  /** There are older records. */
  readonly hasOlder: boolean
}

const DEFAULT_LIMIT = 10

/** Of the origins whose name does not say it. */
const ORIGINS: Readonly<Record<string, string>> = {
  host: "host: written by the host's own code",
  external: 'external: written by hand or by another program',
}

const WHICH_ENTRIES = "text that the entry contains, or its number in 'hermes memory show': user:2"

const quoted = ({ evidence = [] }: JournalRecord): string | undefined =>
  evidence.length === 0 ? undefined : evidence.map(({ quote }) => `"${quote}"`).join(', ')

const renderStory = ({ entries, archived, shared, records, hasOlder }: Story, now: number, limit: number, terminal: Terminal): string => {
  const { paint } = terminal
  const block = (title: string, fields: readonly Field[]): string => `${title}\n${renderFields(fields, terminal)}`
  const when = (at: number): string | undefined => (at === 0 ? undefined : relativeTime(at, now))
  const live = entries.slice(0, limit).map(({ target, entry, origin, firstSeenAt, lastConfirmedAt, pinned, ...time }) =>
    block(paint.bold(`In ${FILES[target]}`), [
      ['entry', entry],
      ['origin', ORIGINS[origin] ?? origin],
      ['first seen', when(firstSeenAt)],
      ['confirmed', lastConfirmedAt > firstSeenAt ? when(lastConfirmedAt) : undefined],
      ['shown', describeTime(time)],
      ['pinned', pinned ? 'yes: only a person can change it' : undefined],
    ]),
  )
  const ofTeam = shared.slice(0, limit).map(({ content, sharedFrom, ...time }) =>
    block(paint.bold('Shared by your team'), [
      ['entry', content],
      ['from', `memory.shared[${sharedFrom}] in config.yaml, which is only read`],
      ['shown', describeTime(time)],
    ]),
  )
  const gone = archived.slice(0, limit).map(({ id, target, text, origin, forgottenAt, reason, replacedBy }) =>
    block(paint.bold(`Archived from ${FILES[target]}`), [
      ['entry', text],
      ['origin', ORIGINS[origin] ?? origin],
      ['archived', when(forgottenAt)],
      ['why', reason],
      ['now', replacedBy],
      ['undo', `hermes memory restore ${shortEntryId(id, archived)}`],
    ]),
  )
  const told = records.map((record) =>
    block(`${paintKind(record.kind, paint)(record.kind)}  ${relativeTime(record.at, now)}  ${paint.dim(shortId(record.id))}`, [
      ['what', record.op ? describeAction(record.op, record) : record.upkeep ? describeUpkeep(record) : record.raw],
      ['text', record.op && record.target !== 'skill' ? operationText(record.op) : undefined],
      ['shown', record.op && (record.op.action === 'add' || record.op.action === 'replace') ? describeTime(record.op) : undefined],
      ['before', record.previous?.join('\n')],
      ['made room', record.evicted?.map(({ text }) => text).join('\n')],
      ['by', record.actor],
      ['why', record.reason],
      ['evidence', quoted(record)],
      ['session', record.sessionId],
    ]),
  )
  const silent =
    records.length === 0 && entries.length + archived.length > 0
      ? [hint('The journal has no record of it: the file was edited by hand, or its records were too old and have been deleted.', terminal)]
      : []
  const more = [
    entries.length > limit ? counted(entries.length - limit, 'more entry', 'more entries') : '',
    shared.length > limit ? counted(shared.length - limit, 'more note of your team', 'more notes of your team') : '',
    archived.length > limit ? counted(archived.length - limit, 'more archived entry', 'more archived entries') : '',
    hasOlder ? 'older records of the journal' : '',
  ].filter((part) => part !== '')
  const rest = more.length === 0 ? [] : [hint(`Not shown: ${more.join(', ')}. --limit shows more, a longer text fewer.`, terminal)]
  return [...live, ...ofTeam, ...gone, ...told, ...silent, ...rest].join('\n')
}

export const whyCommand = defineCommand({
  examples: [
    ['hermes memory why pnpm', 'every entry that mentions pnpm, including archived entries'],
    ['hermes memory why user:2', "the second of USER.md, as 'hermes memory show' numbers them"],
    ['hermes memory why "Lives in Oslo" --json', 'the same for programs'],
  ],
  takesWords: true,
  onlyReads: true,
  options: (parser) =>
    parser
      .option('project', PROJECT)
      .positional('text', { type: 'string', array: true, demandOption: true, describe: WHICH_ENTRIES })
      .option('limit', {
        coerce: wholeNumber('limit', 1, 100_000),
        default: DEFAULT_LIMIT,
        requiresArg: true,
        describe: 'maximum number of entries, of archived entries and of records, each',
      }),
  run: async ({ text, limit, project, '--': rest = [] }, from) => {
    const context = inProject(from, project)
    const words = [...text, ...rest].join(' ')
    const named = await findByNumber(words, context)
    if (named && !named.ok) return failed(named.error)
    const asked = named ? named.value.entry : words
    const isAbout = (words: string): boolean => words.toLowerCase().includes(asked.toLowerCase())
    const store = openMemory(context)
    // The archive warns of a store that cannot be read; the other one can still be explained.
    const listed = await listEntries(undefined, context)
    const entries = listed.entries.filter(({ ref, entry }) => (named ? ref === named.value.ref : isAbout(entry)))
    const gone = await store.archived()
    if (!gone.ok) return failed(gone.error)
    const recorded = await openJournal(context).list({ text: asked })
    if (!recorded.ok) return failed(recorded.error)
    const archived = gone.value.filter((entry) => isAbout(entry.text))
    const isOther = (record: JournalRecord) => record.target === 'project' && record.project !== project
    const about = recorded.value.filter((record) => record.target !== 'skill' && !isOther(record))
    const records = about.slice(-limit)
    const shared = (await readTeamNotes(context)).filter(({ content }) => isAbout(content))
    const story: Story = { entries, archived, shared, records, hasOlder: about.length > limit }
    if (entries.length + archived.length + shared.length + records.length === 0) {
      const message = `Nothing in memory, its archive or the journal mentions '${asked.slice(0, 80)}'. 'hermes memory show' lists the entries.`
      return failed({ code: 'not_found', message })
    }
    return { value: story, text: (terminal) => renderStory(story, context.clock(), limit, terminal) }
  },
})
