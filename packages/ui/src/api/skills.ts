/** The skills with their use and state, and their upkeep: archive and backups. */
import { type Hermes, type JournalRecord, ok, type Result } from '@hermes/core'
import { readSkillRows, readUsesByDay, type SkillRow, toSkillRow } from '@hermes/core/skills'
import { readMerges } from './merges.ts'
import type { Change } from './undo.ts'
import type { ChartedSkillRow, MergeView, SkillDetail, SkillsView, UpkeepView } from './views.ts'

const charted = (row: SkillRow, now: number): ChartedSkillRow => ({ ...row, daily: readUsesByDay(row.usesByDay, now) })

const byName = (a: SkillRow, b: SkillRow): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

const ORDERS = {
  name: byName,
  uses: (a, b) => b.useCount - a.useCount || byName(a, b),
  recent: (a, b) => b.lastUsedAt - a.lastUsedAt || byName(a, b),
  new: (a, b) => b.createdAt - a.createdAt || byName(a, b),
} satisfies Record<string, (a: SkillRow, b: SkillRow) => number>

export const SKILL_ORDERS = ['name', 'uses', 'recent', 'new'] as const

export const SKILL_FILTERS = ['all', 'active', 'stale', 'pinned', 'shared'] as const

export interface SkillQuery {
  readonly query: string
  readonly sort: (typeof SKILL_ORDERS)[number]
  readonly only: (typeof SKILL_FILTERS)[number]
  readonly offset: number
  readonly limit: number
  /** By the browser's clock; the days end with it. */
  readonly now: number
}

const FILTERS: Readonly<Record<SkillQuery['only'], (row: SkillRow) => boolean>> = {
  all: () => true,
  active: ({ state, shared }) => state === 'active' && !shared,
  stale: ({ state }) => state === 'stale',
  pinned: ({ pinned }) => pinned,
  shared: ({ shared }) => shared,
}

export const readSkills = async (hermes: Hermes, { query, sort, only, offset, limit, now }: SkillQuery): Promise<Result<SkillsView>> => {
  const listed = await readSkillRows(hermes.skillReader(), hermes.usageStore())
  if (!listed.ok) return listed
  const all = listed.value.skills
  const wanted = query.toLowerCase()
  const found = all.filter((row) => FILTERS[only](row) && `${row.name}\n${row.path}\n${row.description}`.toLowerCase().includes(wanted))
  const count = (filter: SkillQuery['only']): number => all.filter(FILTERS[filter]).length
  return ok({
    total: found.length,
    rows: found
      .sort(ORDERS[sort])
      .slice(offset, offset + limit)
      .map((row) => charted(row, now)),
    counts: { all: all.length, active: count('active'), stale: count('stale'), pinned: count('pinned'), shared: count('shared') },
    problems: listed.value.problems.slice(0, 20).map(({ message }) => message),
  })
}

const MAX_RECORDS = 100

export const readSkill = async (
  hermes: Hermes,
  { name: target, now }: Pick<SkillQuery, 'now'> & { readonly name: string },
): Promise<Result<SkillDetail>> => {
  const viewed = await hermes.skillReader().view(target)
  if (!viewed.ok) return viewed
  const { name, path, content, document, linkedFiles, sharedFrom } = viewed.value
  const [record, listed] = await Promise.all([
    hermes.usageStore().get(name),
    hermes.journal.list({ text: name, limit: 1_000, python: true }),
  ])
  if (!listed.ok) return listed
  const records = listed.value.filter(
    ({ target: kind, op, upkeep, python }) =>
      python?.skill === name ||
      (kind === 'skill' && op && 'name' in op && (op.name === name || op.name.endsWith(`/${name}`))) ||
      (kind === undefined && upkeep?.subject === name) ||
      (op?.action === 'archive' && op.absorbedInto === name),
  )
  const files = Object.values(linkedFiles).flat()
  const merges: Result<readonly MergeView[]> = sharedFrom === undefined ? await readMerges(hermes, { name, path, files }) : ok([])
  if (!merges.ok) return merges
  return ok({
    row: charted(toSkillRow({ ...viewed.value, ...document, name }, record), now),
    content,
    files,
    merges: merges.value,
    records: records.slice(-MAX_RECORDS).reverse(),
  })
}

const MAX_ARCHIVED = 200

export const readUpkeep = async (hermes: Hermes): Promise<Result<UpkeepView>> => {
  const [archive, backups, status] = await Promise.all([hermes.curator.listArchived(), hermes.curator.backups(), hermes.curator.status()])
  if (!archive.ok) return archive
  if (!backups.ok) return backups
  if (!status.ok) return status
  const { entries } = archive.value
  return ok({
    archived: entries
      .slice(0, MAX_ARCHIVED)
      .map(({ id, name, archivedAt, reason, absorbedInto }) => ({ id, name, archivedAt, reason, absorbedInto })),
    archivedTotal: entries.length,
    backups: backups.value.backups.map(({ id, createdAt, reason, skillCount, archiveBytes }) => ({
      id,
      createdAt,
      reason,
      skillCount,
      bytes: archiveBytes,
    })),
    lastRunAt: status.value.state.lastRunAt ?? 0,
    paused: status.value.state.paused,
    running: status.value.mergingUntil !== undefined,
    problems: [...archive.value.problems, ...backups.value.problems].slice(0, 20).map(({ message }) => message),
  })
}

export const SKILL_CHANGES = ['pin', 'unpin', 'archive', 'restore'] as const

type SkillChangeName = (typeof SKILL_CHANGES)[number]

const SAID = {
  pin: 'is pinned: automatic changes skip it',
  unpin: 'is no longer pinned',
  archive: 'is in the archive',
  restore: 'is back; its age starts anew',
} as const

const ofUpkeep =
  (of: NonNullable<JournalRecord['upkeep']>) =>
  ({ target, upkeep }: JournalRecord): boolean =>
    target === 'skill' &&
    upkeep?.action === of.action &&
    (of.before === undefined ? upkeep.subject === of.subject : upkeep.before === of.before)

/** Returns the acts of the change. */
const carryOut = async ({ curator }: Hermes, action: SkillChangeName, target: string): Promise<Result<Change['acts']>> => {
  if (action === 'archive') {
    const done = await curator.archive(target)
    if (!done.ok) return done
    const { name } = done.value.archived
    return ok([({ op }) => op?.action === 'archive' && op.name === name])
  }
  if (action === 'restore') {
    const done = await curator.restore(target)
    return done.ok ? ok([ofUpkeep({ action, before: done.value.restored.archived.id })]) : done
  }
  const done = await curator[action](target)
  if (!done.ok) return done
  const { changed, name } = done.value
  return ok(changed ? [ofUpkeep({ action, subject: name })] : [])
}

/** `target`: a name, a folder or the id of an archived skill. */
export const changeSkill = async (hermes: Hermes, action: SkillChangeName, target: string): Promise<Result<Change>> => {
  const done = await carryOut(hermes, action, target)
  if (!done.ok) return done
  const name = target.replace(/^\.archive\//, '').replace(/-\d{14}$/, '')
  return ok({ message: `'${name}' ${SAID[action]}.`, acts: done.value })
}
