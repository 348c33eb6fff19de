/** The memory: its entries, where each comes from, and what a person may change by hand. */
import {
  err,
  type Hermes,
  HermesError,
  type JournalRecord,
  type MemoryOp,
  type MemoryOpOutcome,
  type MemoryStore,
  type MemoryTarget,
  ok,
  type Result,
} from '@hermes/core'
import { describeTime, ENTRY_DELIMITER, scanThreats } from '@hermes/core/memory'
import type { Change } from './undo.ts'
import type { ArchivedEntryView, BudgetView, EntryView, MemoryView, WhyView } from './views.ts'

/** What a page shows: the stores of the person, or the notes on one project. */
const targetsOf = (project: string | undefined): readonly MemoryTarget[] =>
  project === undefined ? ['memory', 'user', 'profile'] : ['project']

const MAX_ARCHIVED = 100

const sizeOf = (entries: readonly string[]): number => [...entries.join(ENTRY_DELIMITER)].length

export const readBudgets = async (
  store: MemoryStore,
  targets: readonly MemoryTarget[] = targetsOf(undefined),
): Promise<readonly BudgetView[]> => {
  // A home without a profile has no word of it.
  const isShown = ({ target, entries }: BudgetView): boolean => target !== 'profile' || entries > 0
  const read = async (target: MemoryTarget): Promise<BudgetView> => {
    const entries = await store.current(target)
    const texts = entries.ok ? entries.value : []
    return { target, enabled: store.isEnabled(target), usedChars: sizeOf(texts), charLimit: store.charLimit(target), entries: texts.length }
  }
  return (await Promise.all(targets.map(read))).filter(isShown)
}

/** In the stores of the person and in the notes on all projects; what cannot be read counts as none. */
export const countEntries = async (hermes: Hermes): Promise<number> => {
  const projects = await hermes.projects()
  const budgets = [...(await readBudgets(hermes.memoryStore()))]
  for (const project of projects.ok ? projects.value : [])
    budgets.push(...(await readBudgets(hermes.memoryStore({ project }), targetsOf(project))))
  return budgets.reduce((sum, { entries }) => sum + entries, 0)
}

const readEntries = async (store: MemoryStore, target: MemoryTarget): Promise<Result<readonly EntryView[]>> => {
  const facts = await store.facts(target)
  if (!facts.ok) return facts
  return ok(
    facts.value.map(({ entry, origin, firstSeenAt, lastConfirmedAt, pinned = false, ...time }) => {
      const blockedFor = scanThreats(entry, 'strict').map(String)
      return { target, text: entry, origin, firstSeenAt, lastConfirmedAt, pinned, time: describeTime(time), blockedFor }
    }),
  )
}

/** `project`: whose notes are read, instead of the memory of the person. */
export const readMemory = async (hermes: Hermes, query: string, project: string | undefined): Promise<Result<MemoryView>> => {
  const projects = await hermes.projects()
  if (!projects.ok) return projects
  const store = hermes.memoryStore({ project })
  const targets = targetsOf(project)
  const wanted = query.toLowerCase()
  const holds = (text: string): boolean => text.toLowerCase().includes(wanted)
  const entries: EntryView[] = []
  const problems: string[] = []
  for (const target of targets) {
    const read = await readEntries(store, target)
    if (read.ok) entries.push(...read.value.filter(({ text }) => holds(text)))
    else problems.push(read.error.message)
  }
  const gone = await (project === undefined ? store.archived() : store.archived('project'))
  if (!gone.ok) problems.push(gone.error.message)
  const archived = gone.ok ? gone.value.filter(({ text }) => holds(text)) : []
  const views = archived.slice(0, MAX_ARCHIVED).map(
    ({ id, target, text, origin, forgottenAt, reason, replacedBy, redacted = false }): ArchivedEntryView => ({
      id,
      target,
      text,
      origin,
      forgottenAt,
      reason,
      replacedBy,
      restorable: !redacted,
    }),
  )
  const budgets = await readBudgets(store, targets)
  const team = await hermes.memory.shared()
  if (!team.ok) problems.push(team.error.message)
  else problems.push(...team.value.problems.map(({ message }) => message))
  const notes = team.ok ? team.value.notes.filter(({ content }) => holds(content)) : []
  const shared = notes.map(({ content, ...time }) => ({ text: content, time: describeTime(time) }))
  return ok({ projects: projects.value, project, budgets, entries, archived: views, archivedTotal: archived.length, shared, problems })
}

/** How many replacements are followed back. */
const MAX_FORMER = 20
const MAX_RECORDS = 200

const isAbout = (
  { target, project: own, op, previous = [], evicted = [] }: JournalRecord,
  text: string,
  project: string | undefined,
): boolean =>
  target !== 'skill' &&
  (target === 'project' ? own : undefined) === project &&
  [
    ...(op && 'content' in op ? [op.content] : []),
    ...(op && 'oldText' in op ? [op.oldText] : []),
    ...previous,
    ...evicted.map((gone) => gone.text),
  ].includes(text)

/** The records about an entry and about those that it replaced. `project`: of which it is a note. */
export const readWhy = async (hermes: Hermes, text: string, project: string | undefined): Promise<Result<WhyView>> => {
  const found = new Map<string, JournalRecord>()
  const texts = [text]
  for (let next = 0; next < texts.length && next < MAX_FORMER; next++) {
    const current = texts[next] ?? ''
    const listed = await hermes.journal.list({ text: current, limit: MAX_RECORDS })
    if (!listed.ok) return listed
    for (const record of listed.value.filter((each) => isAbout(each, current, project))) {
      found.set(record.id, record)
      const { op, previous = [] } = record
      if (op?.action === 'replace' && op.content === current) texts.push(...previous.filter((former) => !texts.includes(former)))
    }
  }
  return ok({ records: [...found.values()].sort((a, b) => a.at - b.at) })
}

/** What a person asks for on the page. Replacing and removing name the whole entry; another wording holds on the same days. */
export type EntryChange = { readonly project?: string | undefined } & (
  | { readonly action: 'replace'; readonly target: MemoryTarget; readonly text: string; readonly content: string }
  | { readonly action: 'remove' | 'pin' | 'unpin'; readonly target: MemoryTarget; readonly text: string }
  | { readonly action: 'restore'; readonly id: string }
)

/** As the store writes it. */
const stored = (text = ''): string => text.replace(/\r\n?/g, '\n').trim()

/** Tells the record of a write by the texts that came and went with it. */
export const wroteEntry =
  (op: MemoryOp, { target, project, previous: [gone] }: MemoryOpOutcome) =>
  (record: JournalRecord): boolean =>
    record.kind === 'applied' &&
    record.pendingId === undefined &&
    record.target === target &&
    record.project === project &&
    record.op?.action === op.action &&
    record.previous?.[0] === gone &&
    (op.action === 'remove' || ('content' in record.op && stored(record.op.content) === stored(op.content)))

export const changeEntry = async (hermes: Hermes, change: EntryChange): Promise<Result<Change>> => {
  const { project } = change
  const store = hermes.memoryStore({ project })
  if (change.action === 'restore') {
    const { id } = change
    const back = await store.restore(id)
    return back.ok ? ok({ message: back.value.message, acts: [({ restoredFrom }) => restoredFrom === id] }) : back
  }
  const { target, text, action } = change
  if (action === 'pin' || action === 'unpin') {
    const pinned = await store[action](target, text)
    if (!pinned.ok) return pinned
    const { entry, changed } = pinned.value
    const isOfPin = (record: JournalRecord): boolean =>
      record.target === target &&
      record.project === pinned.value.project &&
      record.upkeep?.action === action &&
      record.upkeep.subject === entry
    return ok({ message: action === 'pin' ? 'Pinned: only a person changes it now.' : 'Unpinned.', acts: changed ? [isOfPin] : [] })
  }
  const present = await store.facts(target)
  if (!present.ok) return present
  const found = present.value.find(({ entry }) => entry === text)
  if (!found) {
    return err(
      new HermesError('not_found', 'This entry is no longer there: it was changed in another place. The list is up to date again.'),
    )
  }
  const op =
    action === 'replace'
      ? ({ action, oldText: text, content: change.content, from: found.from, until: found.until } as const)
      : ({ action, oldText: text } as const)
  const written = await store.apply(target, op, { origin: 'user', reason: 'A person changed it by hand.' })
  return written.ok ? ok({ message: written.value.message, acts: [wroteEntry(op, written.value)] }) : written
}
