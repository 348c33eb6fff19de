/** Checks of what the home holds: every document is read, none is changed. */
import type { HermesError, JournalRecord } from '@hermes/core'
import { type CuratorDue, readCuratorStatus } from '@hermes/core/curator'
import { checkJournal as readJournal } from '@hermes/core/journal'
import { readDocument } from '@hermes/core/storage'
import type { Context } from '../../context.ts'
import { counted, percentFull, relativeTime } from '../../terminal/format.ts'
import { curatorSettings } from '../curator/open-curator.ts'
import { storeName } from '../journal/describe-op.ts'
import { openPending } from '../journal/read-journal.ts'
import { readAllStores, type StoreView } from '../memory/memory-view.ts'
import { inProject, openMemory } from '../memory/open-memory.ts'
import { openSkills, openUsage } from '../skills/library.ts'
import { type Check, type Examine, fine, problem, warning } from './doctor-view.ts'

const damaged = (id: string, what: string, problems: readonly string[], fix: string): Check =>
  problem(id, `${what}; ${counted(problems.length, 'document')} cannot be read`, { fix, details: problems })

const collect = () => {
  const found: string[] = []
  return { found, tell: ({ message }: HermesError) => void found.push(message), warn: (message: string) => void found.push(message) }
}

const ORIGINS = /(?:^|\/)memories\/\.facts\.jsonl$/

const ORIGINS_FIX =
  "'hermes doctor --repair' sets the damaged records of origins aside and takes them from the journal; entries that it does not mention count as from outside."

const count = (chars: number): string => chars.toLocaleString('en')

/** An entry longer than the whole limit stops every removal. */
const overfullStores = (told: string, stores: readonly StoreView[]): Check => {
  const details = stores.map(
    ({ usedChars, charLimit, ...place }) => `${storeName(place)}: ${count(usedChars)} characters, at most ${count(charLimit)}`,
  )
  const isLong = stores.some(({ entries, charLimit }) => entries.some(({ text }) => [...text].length > charLimit))
  const remove = isLong
    ? 'An entry is longer than the whole limit: shorten it in the file.'
    : "'hermes memory remove <text>' moves an entry to the archive; 'hermes memory show' lists them."
  const names = stores.map(storeName).join(' and ')
  const fix = `Nothing can be added, and agents may see only the pinned and newest entries. ${remove} Or raise memory_char_limit or user_char_limit in config.yaml.`
  return warning('memory', `${told}; ${names} ${stores.length === 1 ? 'is' : 'are'} over the limit`, { fix, details })
}

export const checkMemory: Examine = async (context) => {
  const { found, tell } = collect()
  const { stores, projects, problems } = await readAllStores(context)
  problems.forEach(tell)
  for (const project of [undefined, ...projects]) {
    const archived = await openMemory(inProject(context, project), tell).archived(project === undefined ? undefined : 'project')
    if (!archived.ok) tell(archived.error)
  }
  const fills = stores.map(({ target, project, usedChars, charLimit }) => `${project ?? target} ${percentFull(usedChars, charLimit)}% full`)
  const entries = stores.reduce((sum, store) => sum + store.entries.length, 0)
  const told = `${counted(entries, 'entry', 'entries')}, ${fills.join(', ')}`
  if (found.length > 0) {
    const hasOrigins = !problems.some(({ details }) => ORIGINS.test(String(details['path'])))
    const fix = hasOrigins ? 'Each line says how to repair it.' : ORIGINS_FIX
    return damaged('memory', told, [...new Set(found)], fix)
  }
  const overfull = stores.filter(({ usedChars, charLimit }) => usedChars > charLimit)
  if (overfull.length > 0) return overfullStores(told, overfull)
  const hidden = stores.flatMap((store) => store.entries.filter(({ blockedFor }) => blockedFor.length > 0)).length
  return hidden === 0
    ? fine('memory', told)
    : warning('memory', `${told}; ${counted(hidden, 'entry', 'entries')} hidden from the agent`, {
        fix: "'hermes memory show' says why; 'hermes memory remove' removes one.",
      })
}

export const checkSkills: Examine = async (context) => {
  const { found, tell, warn } = collect()
  const store = openSkills(context)
  const listing = await store.list()
  const archive = await store.listArchived()
  await openUsage({ ...context, warn }).all()
  for (const read of [listing, archive]) {
    if (read.ok) read.value.problems.forEach(tell)
    else tell(read.error)
  }
  const skills = listing.ok ? listing.value.skills : []
  const told = `${counted(skills.length, 'skill')}, ${archive.ok ? archive.value.entries.length : 'an unknown number'} in the archive`
  if (found.length > 0) return damaged('skills', told, [...new Set(found)], 'Each line says how to repair it.')
  const flawed = skills.filter(({ diagnostics }) => diagnostics.length > 0)
  const details = flawed.map(({ name, diagnostics }) => `${name}: ${diagnostics.map(({ message }) => message).join(' ')}`)
  return flawed.length === 0
    ? fine('skills', told)
    : warning('skills', `${told}; ${counted(flawed.length, 'SKILL.md has', 'SKILL.md have')} a flaw`, {
        fix: 'Correct the front matter.',
        details,
      })
}

const describeReview = ({ kind, at, reason, error }: JournalRecord, now: number): string =>
  `the last one ${kind.slice('review-'.length)} ${relativeTime(at, now)}${error === undefined ? '' : `: ${error.message}`}${error === undefined && kind === 'review-failed' ? `: ${reason}` : ''}`

export const checkJournal = async (context: Context): Promise<readonly [journal: Check, reviews: Check]> => {
  const { found: unread, tell } = collect()
  const read = await readJournal(context.storage, tell)
  const problems = read.ok ? unread : [read.error.message]
  const { records, newest, lastReview: last } = read.ok ? read.value : { records: 0 }
  const now = context.clock()
  const told = newest ? `${counted(records, 'record')}, the newest ${relativeTime(newest.at, now)}` : 'no record yet'
  const journal =
    problems.length === 0
      ? fine('journal', told)
      : damaged('journal', told, problems, "The other records are not affected; 'hermes journal list' shows them.")
  if (!last) return [journal, fine('reviews', 'none has run yet')]
  const found = describeReview(last, now)
  const fix = "Check the model's name and key, then: hermes review"
  return [journal, last.kind === 'review-failed' ? warning('reviews', found, { fix }) : fine('reviews', found)]
}

const SET_ASIDE = /^sessions\/\.unreadable\//

export const checkSessions: Examine = async (context) => {
  const { storage } = context
  const listed = await storage.list('sessions')
  if (!listed.ok) return problem('sessions', listed.error.message)
  const { openHermes } = await import('../../open-hermes.ts')
  const { found, warn } = collect()
  const known = await openHermes({ ...context, warn }).sessions.list()
  if (!known.ok) found.push(known.error.message)
  const records = listed.value.filter(({ path }) => /^sessions\/[^./][^/]*\.json$/.test(path))
  for (const { path } of records) {
    const read = await readDocument(storage, path)
    if (!read.ok) found.push(read.error.message)
    else if (read.value && !isRecord(read.value.bytes)) found.push(`'${path}' is not a session record.`)
  }
  const unread = known.ok ? known.value.reduce((sum, session) => sum + session.unreadTurns, 0) : 0
  const waiting = unread === 0 ? 'no turn waits for a review' : `${counted(unread, 'turn waits', 'turns wait')} for a review`
  const told = `${counted(records.length, 'session')}, ${waiting}`
  if (found.length > 0)
    return damaged('sessions', told, found, 'The next turn of such a session sets its record aside and begins a new one.')
  const aside = listed.value.filter(({ path }) => SET_ASIDE.test(path)).map(({ path }) => path)
  return aside.length === 0
    ? fine('sessions', told)
    : fine('sessions', `${told}; ${counted(aside.length, 'damaged record')} set aside`, { details: aside })
}

const isRecord = (bytes: Uint8Array): boolean => {
  try {
    return typeof Reflect.get(Object(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))), 'id') === 'string'
  } catch {
    return false
  }
}

const MANY = 20

export const checkPending: Examine = async (context) => {
  const { found, warn } = collect()
  const listed = await openPending({ ...context, warn, isJson: true }).list()
  if (!listed.ok) return problem('pending', listed.error.message)
  const { length } = listed.value
  const told = length === 0 ? 'nothing waits for you' : `${counted(length, 'proposal waits', 'proposals wait')} for you`
  if (found.length > 0) return damaged('pending', told, found, 'Each line says how to repair it.')
  return length > MANY ? warning('pending', told, { fix: "'hermes pending' shows them." }) : fine('pending', told)
}

const describeSchedule = (due: CuratorDue, now: number): string => {
  if (due.due) return 'the next run is due as soon as the agent is idle'
  if (due.reason === 'interval') return `the next run ${relativeTime(due.nextAt, now)}`
  if (due.reason === 'disabled') return 'switched off in config.yaml'
  return due.reason === 'paused' ? 'paused' : 'the first run comes one interval after an agent uses the skills'
}

export const checkCurator: Examine = async (context) => {
  const { storage, clock } = context
  const settings = curatorSettings(context)
  const activity = { lastStepAt: undefined }
  const stores = { skills: openSkills(context), usage: openUsage({ ...context, warn: () => {} }) }
  const read = await readCuratorStatus({ storage, clock, activity, ...stores }, settings)
  if (!read.ok) return problem('curator', read.error.message)
  const now = clock()
  const { due, problems, backups } = read.value
  const told = describeSchedule(due, now)
  // Damaged skills are named by their own check.
  const own = problems.map(({ message }) => message).filter((message) => !message.includes('SKILL.md'))
  if (own.length > 0) return damaged('curator', told, own, "See 'hermes curator status'.")
  return fine('curator', `${told}; ${counted(backups.count, 'backup')}`)
}
