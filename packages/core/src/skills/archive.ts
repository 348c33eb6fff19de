/** The archive of a library: names and manifests of its entries, archived by this program, by Python Hermes or by hand, and what is known about each (reference skills-curator 9). */
import * as z from 'zod/mini'
import { HermesError } from '../shared/hermes-error.ts'
import { isBelow } from '../storage/document-tree.ts'
import type { DocumentInfo } from '../storage/storage-backend.ts'
import { checkStoragePath } from '../storage/storage-paths.ts'
import type { UsageEventDetails } from '../usage/usage-record.ts'
import { findSkillFolders, isInUnseenFolder, SKILLS_FOLDER, type SkillFolder } from './skill-discovery.ts'

export interface ArchivedSkill {
  /** Unique, such as `.archive/deploy-20260512101500`. */
  readonly id: string
  /** The front matter's name, which is the key of its usage record; otherwise the folder's name without its time stamp. */
  readonly name: string
  /** Relative to the archive, such as `deploy-20260512101500`. */
  readonly path: string
  /** Its former path relative to the skills folder, such as `devops/deploy`; `undefined` if another program archived it. */
  readonly from: string | undefined
  readonly category: string | undefined
  /** Epoch milliseconds; 0 if unknown. */
  readonly archivedAt: number
  readonly reason: string | undefined
  /** The skill that holds the content now. */
  readonly absorbedInto?: string | undefined
  readonly description?: string | undefined
  /** The curator archived it because nobody used it: it comes back once it is asked for. */
  readonly unused?: true
}

export interface ArchiveOptions {
  /** Free text for people. */
  readonly reason: string
  /** Any name of a live skill that holds the content from now on. */
  readonly absorbedInto?: string | undefined
  /** Epoch milliseconds. Default: now. */
  readonly at?: number | undefined
  /** Who archives it, for its usage record. */
  readonly author?: UsageEventDetails | undefined
}

export interface RestoredSkill {
  /** Where the skill is now. */
  readonly skill: SkillFolder & { readonly name: string }
  /** The former archive entry. */
  readonly archived: ArchivedSkill
  /** Other archive entries with the same name, newest first; restore them by id. */
  readonly others: readonly ArchivedSkill[]
}

const OWN_FAILURES: readonly HermesError['code'][] = ['not_found', 'occupied', 'invalid_path', 'ambiguous', 'unreadable', 'invalid']

/** True if archiving failed for this skill alone; any other error comes from the storage. */
export const concernsOneSkill = ({ code }: HermesError): boolean => OWN_FAILURES.includes(code)

/** `name-YYYYMMDDHHMMSS` and forms written by hand, such as `name-2026-05-12-101500`; UTC. */
const stampedName = /^(.+?)-(\d{4})-?(\d{2})-?(\d{2})(?:[-T_]?(\d{2})[-:]?(\d{2})(?:[-:]?(\d{2}))?Z?)?(?:-\d{1,3})?$/

export interface ArchiveName {
  readonly base: string
  /** Epoch milliseconds; 0 if the name has no time. */
  readonly at: number
}

export const readArchiveName = (folderName: string): ArchiveName => {
  const [, base, year, month, day, hour = '0', minute = '0', second = '0'] = stampedName.exec(folderName) ?? []
  if (base === undefined) return { base: folderName, at: 0 }
  const [mm, dd, hh, mi, ss] = [month, day, hour, minute, second].map(Number)
  const isTime =
    (mm ?? 0) >= 1 && (mm ?? 13) <= 12 && (dd ?? 0) >= 1 && (dd ?? 32) <= 31 && (hh ?? 24) < 24 && (mi ?? 60) < 60 && (ss ?? 61) <= 60
  return isTime ? { base, at: Date.UTC(Number(year), (mm ?? 1) - 1, dd, hh, mi, ss) } : { base: folderName, at: 0 }
}

const stampOf = (at: number): string => new Date(at).toISOString().replace(/[-:T]/g, '').slice(0, 14)

/** Bytes. A document name may have 255, part of which is needed for the time, a number and `.json`. */
const MAX_NAME_BYTES = 220

/** Cuts to the limit: a code point takes at most four bytes. */
const cut = (folderName: string): string =>
  new TextEncoder().encode(folderName).length <= MAX_NAME_BYTES
    ? folderName
    : [...folderName]
        .slice(0, MAX_NAME_BYTES / 4)
        .join('')
        .replace(/[. ]+$/, '')

/** The folder's own name, then with the time, then numbered. */
export function* archiveNames(folderName: string, at: number): Generator<string> {
  const name = cut(folderName)
  yield name
  const stamped = `${name}-${stampOf(at)}`
  yield stamped
  for (let number = 2; ; number++) yield `${stamped}-${number}`
}

export const ARCHIVE = '.archive'
export const ARCHIVE_FOLDER = `${SKILLS_FOLDER}/${ARCHIVE}`
export const MANIFEST_FOLDER = `${ARCHIVE_FOLDER}/.manifests`

/** Unknown keys are kept. */
export const manifestSchema = /* @__PURE__ */ z.lazy(() =>
  z.looseObject({
    version: z.literal(1),
    name: z.string().check(z.minLength(1)),
    /** Relative to the skills folder. */
    from: z.string().check(z.refine((path) => checkStoragePath(path).ok && !isInUnseenFolder(path), 'it is not the path of a skill')),
    category: z.nullable(z.string()),
    description: z.string(),
    reason: z.string(),
    /** Epoch milliseconds. */
    archivedAt: z.number(),
    absorbedInto: z.nullable(z.string()),
    /** Archived by the curator for its age alone. */
    unused: z.optional(z.boolean()),
  }),
)

export type ArchiveManifest = z.infer<typeof manifestSchema>

export const manifestPath = (entry: string): string => `${MANIFEST_FOLDER}/${entry}.json`

/** The entry that a document describes; `undefined` if it is not a manifest. */
export const entryOfManifest = (path: string): string | undefined =>
  isBelow(path, MANIFEST_FOLDER) && path.endsWith('.json') ? path.slice(MANIFEST_FOLDER.length + 1, -'.json'.length) : undefined

export const toArchived = (entry: string, manifest: ArchiveManifest): ArchivedSkill => ({
  id: `${ARCHIVE}/${entry}`,
  name: manifest.name,
  path: entry,
  from: manifest.from,
  category: manifest.category ?? undefined,
  archivedAt: manifest.archivedAt,
  reason: manifest.reason,
  ...(manifest.absorbedInto === null ? {} : { absorbedInto: manifest.absorbedInto }),
  description: manifest.description,
  ...(manifest.unused ? { unused: true as const } : {}),
})

export interface ArchiveView {
  /** Whether a name is taken in the archive, on any file system. */
  isTaken(entry: string): boolean
  /** Marks the name as taken. */
  take(entry: string): void
  /** `invalid` for a skill that holds other skills, since they would be moved too. */
  refuseNested(path: string): HermesError | undefined
}

/** Linear in the documents; each later query is cheap. */
export const viewArchive = (documents: readonly DocumentInfo[]): ArchiveView => {
  const taken = new Set<string>()
  for (const { path } of documents) {
    if (isBelow(path, ARCHIVE_FOLDER)) taken.add((path.slice(ARCHIVE_FOLDER.length + 1).split('/')[0] ?? '').toLowerCase())
  }
  const insiders = new Map<string, string[]>()
  for (const { path } of findSkillFolders(documents)) {
    const parts = path.split('/')
    for (let depth = 1; depth < parts.length; depth++) {
      const folder = parts.slice(0, depth).join('/')
      const inside = insiders.get(folder)
      if (inside) inside.push(path)
      else insiders.set(folder, [path])
    }
  }
  return {
    isTaken: (entry) => taken.has(entry.toLowerCase()),
    take: (entry) => void taken.add(entry.toLowerCase()),
    refuseNested: (path) => {
      const candidates = insiders.get(path)
      if (!candidates) return undefined
      const message = `'${path}' contains other skills, which would be archived with it: ${candidates.join(', ')}. Move or archive those first.`
      return new HermesError('invalid', message, { details: { path, candidates } })
    },
  }
}
