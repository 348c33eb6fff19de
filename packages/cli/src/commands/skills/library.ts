import { type HermesError, ok, type Result, type StorageBackend } from '@hermes/core'
import type { OwnershipGrant } from '@hermes/core/curator'
import { notesFolder, skillsFolder } from '@hermes/core/file-system'
import {
  judgeOwnership,
  NO_OWNERSHIP_MARKS,
  readOwnershipMarks,
  type SkillListEntry,
  type SkillOwner,
  type SkillReader,
  type SkillRow,
  SkillStore,
  toSkillRow,
  UsageStore,
} from '@hermes/core/skills'
import { type Answer, failed } from '../../answer.ts'
import { closeNames } from '../../close-names.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../terminal/clean-text.ts'
import type { Paint } from '../../terminal/terminal.ts'

/** All skills, including shared ones, with usage and owner, for lists. */

/** A row with its owner. */
export interface OwnedSkillRow extends SkillRow {
  /** `shared`: read-only, and its use is not counted. */
  readonly owner: SkillOwner | 'shared'
  /** The skill belongs to a person, and the curator may manage it. */
  readonly managed: boolean
}

export interface SkillLibrary {
  readonly skills: readonly OwnedSkillRow[]
  readonly archivedCount: number
}

/** Parts that cannot be read are reported as warnings; the rest is returned. */
export const readSkillLibrary = async (context: Context): Promise<Result<SkillLibrary>> => {
  const { storage, clock, warn } = context
  const store = openSkills(context)
  const reader = store.withShared(sharedSkills(context))
  const usage = openUsage(context)
  // At once, so that live and archived skills come from one listing.
  const [listing, archive, records, marks] = await Promise.all([
    reader.list(),
    store.listArchived(),
    usage.all(),
    readOwnershipMarks(storage, { clock }),
  ])
  if (!listing.ok) return listing
  if (!archive.ok) return archive
  if (!marks.ok) warn(`The owners of the skills cannot be read: ${marks.error.message}`)
  for (const { message } of [...listing.value.problems, ...archive.value.problems]) warn(message)
  const toRow = (skill: SkillListEntry): OwnedSkillRow => {
    const record = records.get(skill.name)
    const row = toSkillRow(skill, record)
    if (row.shared) return { ...row, owner: 'shared', managed: false }
    const { owner, grant } = judgeOwnership(skill, record, marks.ok ? marks.value : NO_OWNERSHIP_MARKS)
    return { ...row, owner, managed: grant !== undefined }
  }
  return ok({ skills: listing.value.skills.map(toRow), archivedCount: archive.value.entries.length })
}

export const openSkills = ({ storage, clock }: Context): SkillStore => new SkillStore({ storage, clock })

export const openUsage = ({ storage, clock, warn }: Context): UsageStore =>
  new UsageStore({ storage, clock, onProblem: ({ message }) => warn(message) })

const foldersOf = ({ config }: Pick<Context, 'config'>, section: 'skills' | 'memory'): readonly string[] =>
  config.ok ? (config.value.config[section].shared ?? []) : []

export const sharedSkills = (context: Pick<Context, 'config' | 'home'>): readonly StorageBackend[] =>
  foldersOf(context, 'skills').map((folder) => skillsFolder(folder, { from: context.home }))

export const sharedNotes = (context: Pick<Context, 'config' | 'home'>): readonly StorageBackend[] =>
  foldersOf(context, 'memory').map((folder) => notesFolder(folder, { from: context.home }))

/** The skills of the home, followed by the shared ones. */
export const openSkillReader = (context: Context): SkillReader => openSkills(context).withShared(sharedSkills(context))

/** The location of a skill: below the home, or in a folder that config.yaml names. */
export const placeOf = ({ path, sharedFrom }: { readonly path: string; readonly sharedFrom?: number }, context: Context): string =>
  `${sharedFrom === undefined ? 'skills' : foldersOf(context, 'skills')[sharedFrom]}/${path}`

const OWNERS: Readonly<Record<OwnedSkillRow['owner'], string>> = {
  agent: 'agent',
  user: 'you',
  bundled: 'bundled',
  hub: 'hub',
  shared: 'shared',
}

export const ownerWord = ({ owner, managed }: Pick<OwnedSkillRow, 'owner' | 'managed'>): string =>
  managed ? 'you, managed' : OWNERS[owner]

export const stateWord = ({ state, pinned, failing, owner }: Pick<OwnedSkillRow, 'state' | 'pinned' | 'failing' | 'owner'>): string =>
  owner === 'shared' ? 'read-only' : [state, ...(pinned ? ['pinned'] : []), ...(failing ? ['failing'] : [])].join(', ')

export const paintState = (cell: string, { state }: Pick<OwnedSkillRow, 'state'>, paint: Paint): string =>
  state === 'active' ? paint.green(cell) : paint.yellow(cell)

const isSkillMissing = ({ code, details }: HermesError): boolean =>
  code === 'not_found' && details['name'] !== undefined && details['candidates'] === undefined && details['files'] === undefined

/** Any other error is answered as it is. */
export const failedWithCloseNames = async (error: HermesError, context: Context): Promise<Answer> => {
  if (!isSkillMissing(error)) return failed(error)
  const target = String(error.details['name'])
  const listed = await openSkills(context).list()
  const candidates = closeNames(target, listed.ok ? listed.value.skills.map(({ name }) => name) : [])
  const meant = candidates.length === 0 ? '' : ` Did you mean ${candidates.map((name) => `'${oneLine(name)}'`).join(' or ')}?`
  return failed({
    code: error.code,
    message: `There is no skill '${oneLine(target).slice(0, 80)}'.${meant} 'hermes skills list' lists them.`,
    details: { ...error.details, candidates },
  })
}

/** The skills that a grant covers. */
export const describeScope = (scope: OwnershipGrant['scope']): string => {
  if ('all' in scope) return 'all of your skills'
  return 'category' in scope ? `the category ${scope.category}` : scope.skills.join(', ')
}
