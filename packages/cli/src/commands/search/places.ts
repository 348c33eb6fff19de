/** Where `hermes search` looks: each place answers with its best hits. */

import { type JournalRecord, type MemoryTarget, ok, type Result } from '@hermes/core'
import type { Journal } from '@hermes/core/journal'
import type { Context } from '../../context.ts'
import { shortEntryId, shortId } from '../../find-by-id.ts'
import { shellQuote } from '../../terminal/format.ts'
import { describeAction, describeUpkeep, operationText, storeName } from '../journal/describe-op.ts'
import { openJournal } from '../journal/read-journal.ts'
import { inProject, openMemory, readProjects } from '../memory/open-memory.ts'
import { openSkillReader, openSkills, placeOf } from '../skills/library.ts'
import { EXCERPT_CHARS, excerptOf, type Hit, type Hits, type Search } from './excerpt.ts'
import { searchSessions } from './sessions.ts'

export const PLACES = ['memory', 'archive', 'journal', 'skills', 'sessions'] as const

export type Place = (typeof PLACES)[number]

/** Texts that contain the words as they were typed come first, then the newest. */
const best = (hits: readonly Hit[], { query, limit }: Search): Hits => {
  const phrase = query.toLowerCase()
  const isExact = ({ text }: Hit): number => (text.toLowerCase().includes(phrase) ? 1 : 0)
  const ranked = hits.toSorted((a, b) => isExact(b) - isExact(a) || b.at - a.at)
  return { hits: ranked.slice(0, limit), more: ranked.length > limit }
}

const WHY_CHARS = 40

/** `memory why` takes any part of an entry; the beginning of its first line is enough. */
const whyCommand = (text: string, project: string | undefined): string => {
  const line = text.trim().split('\n')[0] ?? ''
  const start = line.length <= WHY_CHARS ? line : line.slice(0, WHY_CHARS).replace(/\s\S*$|[\ud800-\udbff]$/, '')
  const of = project === undefined ? '' : `--project ${shellQuote(project)} `
  return `hermes memory why ${of}${start.startsWith('-') ? '-- ' : ''}${shellQuote(start)}`
}

/** The stores of the person, then the notes on each project. */
const placesOf = async (context: Context): Promise<readonly { readonly project?: string; readonly targets: readonly MemoryTarget[] }[]> => {
  const projects = await readProjects(context)
  if (!projects.ok) context.warn(projects.error.message)
  const notes = (projects.ok ? projects.value : []).map((project) => ({ project, targets: ['project'] as const }))
  return [{ targets: ['memory', 'user', 'profile'] }, ...notes]
}

const inMemory = async (search: Search, context: Context): Promise<Result<Hits>> => {
  const hits: Hit[] = []
  for (const { project, targets } of await placesOf(context)) {
    const store = openMemory(inProject(context, project))
    for (const target of targets) {
      const facts = await store.facts(target)
      if (!facts.ok) {
        context.warn(facts.error.message)
        continue
      }
      for (const [index, { entry, origin, firstSeenAt, lastConfirmedAt }] of facts.value.entries()) {
        const excerpt = excerptOf(entry, search.matcher, EXCERPT_CHARS)
        const at = Math.max(firstSeenAt, lastConfirmedAt)
        const id = `${storeName({ target, project })} ${index + 1}`
        if (excerpt) hits.push({ id, title: origin, at, command: whyCommand(entry, project), ...excerpt })
      }
    }
  }
  return ok(best(hits, search))
}

const inArchive = async (search: Search, context: Context): Promise<Result<Hits>> => {
  const hits: Hit[] = []
  for (const { project } of await placesOf(context)) {
    const archived = await openMemory(inProject(context, project)).archived(project === undefined ? undefined : 'project')
    if (!archived.ok) return archived
    for (const { id, text, forgottenAt, target } of archived.value) {
      const excerpt = excerptOf(text, search.matcher, EXCERPT_CHARS)
      const title = `archived from ${storeName({ target, project })}`
      const command = whyCommand(text, project)
      if (excerpt) hits.push({ id: shortEntryId(id, archived.value), title, at: forgottenAt, command, ...excerpt })
    }
  }
  return ok(best(hits, search))
}

/** What a record says: what was proposed or done, the texts before, and the reasons. */
const textOfRecord = (record: JournalRecord): string => {
  const { op, previous = [], evicted = [], raw, reason, rationale, evidence = [], error, sessionId } = record
  const action = op
    ? [describeAction(op, record), operationText(op)]
    : [describeUpkeep(record), record.upkeep?.before, record.upkeep?.after]
  const quotes = evidence.map(({ quote }) => quote)
  const gone = evicted.map(({ text }) => text)
  const parts = [...action, ...previous, ...gone, raw, reason, rationale, ...quotes, error?.message, sessionId]
  return parts.filter((part) => part !== undefined && part !== '').join(' · ')
}

const PAGE_RECORDS = 1_000

/** Reads the journal backwards, so that a search that has enough does not read all of it. */
const inJournal = async (search: Search, context: Context): Promise<Result<Hits>> => {
  const journal: Pick<Journal, 'list'> = openJournal(context)
  const hits: Hit[] = []
  const seen = new Set<string>()
  let until: number | undefined
  let size = PAGE_RECORDS
  while (hits.length <= search.limit) {
    const page = await journal.list({ limit: size, ...(until === undefined ? {} : { until }) })
    if (!page.ok) return page
    const fresh = page.value.filter(({ id }) => !seen.has(id))
    for (const record of fresh.toReversed()) {
      seen.add(record.id)
      const excerpt = excerptOf(textOfRecord(record), search.matcher, EXCERPT_CHARS)
      const id = shortId(record.id)
      const title = `${record.kind}, by ${record.actor}`
      if (excerpt) hits.push({ id, title, at: record.at, command: `hermes journal show ${id}`, ...excerpt })
    }
    if (page.value.length < size) break
    // More records of one millisecond than a page holds.
    if (fresh.length === 0) size *= 2
    until = page.value[0]?.at
  }
  return ok(best(hits, search))
}

/** Name, description and text; support files are not read. */
const inLiveSkills = async ({ matcher }: Search, context: Context): Promise<Result<readonly Hit[]>> => {
  const reader = openSkillReader(context)
  const listing = await reader.list()
  if (!listing.ok) return listing
  const hits: Hit[] = []
  for (const skill of listing.value.skills) {
    const { name, description } = skill
    const viewed = await reader.view(name)
    const content = viewed.ok ? viewed.value.document.body : ''
    // A description that has all the words says more than the text below it.
    const excerpt =
      excerptOf(`${name}: ${description}`, matcher, EXCERPT_CHARS) ??
      excerptOf(`${name}: ${description} ${content}`, matcher, EXCERPT_CHARS)
    if (excerpt)
      hits.push({ id: name, title: placeOf(skill, context), at: 0, command: `hermes skills show ${shellQuote(name)}`, ...excerpt })
  }
  return ok(hits)
}

const inArchivedSkills = async ({ matcher }: Search, context: Context): Promise<Result<readonly Hit[]>> => {
  const archive = await openSkills(context).listArchived()
  if (!archive.ok) return archive
  return ok(
    archive.value.entries.flatMap(({ id, name, description = '', reason = '', archivedAt }): readonly Hit[] => {
      const excerpt = excerptOf(`${name}: ${description} ${reason}`, matcher, EXCERPT_CHARS)
      return excerpt
        ? [{ id, title: 'in the archive', at: archivedAt, command: `hermes curator restore ${shellQuote(id)}`, ...excerpt }]
        : []
    }),
  )
}

/** Archived skills come last. */
const inSkills = async (search: Search, context: Context): Promise<Result<Hits>> => {
  const live = await inLiveSkills(search, context)
  if (!live.ok) return live
  const archived = await inArchivedSkills(search, context)
  if (!archived.ok) return archived
  const all = [...best(live.value, search).hits, ...best(archived.value, search).hits]
  return ok({ hits: all.slice(0, search.limit), more: live.value.length + archived.value.length > search.limit })
}

export const searchPlace: Readonly<Record<Place, (search: Search, context: Context) => Promise<Result<Hits>>>> = {
  memory: inMemory,
  archive: inArchive,
  journal: inJournal,
  skills: inSkills,
  sessions: searchSessions,
}
