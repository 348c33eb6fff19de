/**
 * A person's permission for the curator to manage skills that are not the agent's (reference skills-curator 22, exercise 3), and `curator/managed.json`, where the
 * grants are, independent of who wrote the skills.
 */
import * as z from 'zod/mini'
import { ok, type Result } from '../shared/result.ts'
import { readJsonDocument } from '../storage/json-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { CURATOR_FOLDER } from '../storage/storage-paths.ts'
import { formatPythonTime, parsePythonTime } from '../usage/python-time.ts'

export const GRANTED_STEPS = ['stale', 'archive', 'merge'] as const

/** `merge` covers every change of the skill's text; `stale` and `archive` let it age. */
export type GrantedStep = (typeof GRANTED_STEPS)[number]

/** Skills by name, a category with everything below it, or every skill. Bundled and hub skills are never included. */
export type GrantScope = { readonly skills: readonly string[] } | { readonly category: string } | { readonly all: true }

export interface OwnershipGrant {
  readonly scope: GrantScope
  readonly allow: readonly GrantedStep[]
  /** Epoch milliseconds; from then on it is no longer valid. */
  readonly until: number | undefined
  /** Epoch milliseconds; a skill's age counts from here at the earliest, so that it is not archived right after the grant. */
  readonly grantedAt: number
}

/** The properties of a skill that a grant is matched with: name, folder below `skills`, and the category of that folder. */
export interface GrantSubject {
  readonly name: string
  readonly path: string
  readonly folderName: string
  readonly category: string | undefined
}

/** Whether `granted` names this skill. */
export const isNamed = (granted: string, { name, path, folderName }: GrantSubject): boolean =>
  granted === name || granted === path || granted === folderName

export const coversSkill = ({ scope }: OwnershipGrant, skill: GrantSubject): boolean => {
  const { category } = skill
  if ('all' in scope) return true
  if ('skills' in scope) return scope.skills.some((granted) => isNamed(granted, skill))
  return category === scope.category || (category?.startsWith(`${scope.category}/`) ?? false)
}

/** Exclusive: invalid at `until` itself. */
export const isValidAt = ({ until }: OwnershipGrant, at: number): boolean => until === undefined || at < until

const instant = /* @__PURE__ */ z.lazy(() =>
  z.string().check(z.refine((text) => parsePythonTime(text) !== undefined, { message: 'not a time in ISO 8601' })),
)
const name = /* @__PURE__ */ z.lazy(() => z.string().check(z.minLength(1), z.maxLength(1_024)))

// Strict: a misspelt `until` must not become a grant without an end.
const terms = () => ({ allow: z.array(z.enum(GRANTED_STEPS)), until: z.nullish(instant), granted_at: z.nullish(instant) })

const storedGrantSchema = /* @__PURE__ */ z.lazy(() =>
  z.union([
    z.strictObject({ skills: z.array(name), ...terms() }),
    z.strictObject({ category: name, ...terms() }),
    z.strictObject({ all: z.literal(true), ...terms() }),
  ]),
)

export type StoredGrant = z.infer<typeof storedGrantSchema>

export const toOwnershipGrant = (stored: StoredGrant): OwnershipGrant => ({
  scope: 'skills' in stored ? { skills: stored.skills } : 'category' in stored ? { category: stored.category } : { all: true },
  allow: GRANTED_STEPS.filter((step) => stored.allow.includes(step)),
  until: stored.until ? parsePythonTime(stored.until) : undefined,
  grantedAt: parsePythonTime(stored.granted_at) ?? 0,
})

export const toStoredGrant = ({ scope, allow, until, grantedAt }: OwnershipGrant): StoredGrant => {
  const stored = {
    allow: GRANTED_STEPS.filter((step) => allow.includes(step)),
    ...(until === undefined ? {} : { until: formatPythonTime(until) }),
    ...(grantedAt === 0 ? {} : { granted_at: formatPythonTime(grantedAt) }),
  }
  if ('skills' in scope) return { skills: [...scope.skills], ...stored }
  return 'category' in scope ? { category: scope.category, ...stored } : { all: true, ...stored }
}

export const MANAGED_PATH = `${CURATOR_FOLDER}/managed.json`

export const managedSchema = /* @__PURE__ */ z.lazy(() => z.strictObject({ grants: z.array(storedGrantSchema) }))

/** Includes expired grants. `unreadable` if the document is corrupt, such as after a hand edit: then there are no grants. */
export const readGrants = async (storage: StorageBackend): Promise<Result<readonly OwnershipGrant[]>> => {
  const document = await readJsonDocument(storage, MANAGED_PATH, managedSchema)
  return document.ok ? ok((document.value?.grants ?? []).map(toOwnershipGrant)) : document
}
