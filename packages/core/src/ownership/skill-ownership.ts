/**
 * Who owns a skill, and whether an automatic change is allowed (seed 000, reference skills-curator 5), by the marks of bundled and hub skills and by what a person
 * handed over (`curator/managed.json`, reference skills-curator 22, exercise 3). Authorship and pins are in the usage record.
 */
import * as z from 'zod/mini'
import { type Clock, systemClock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { readJsonDocument } from '../storage/json-document.ts'
import { readDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { CURATOR_FOLDER } from '../storage/storage-paths.ts'
import { formatPythonTime, parsePythonTime } from '../usage/python-time.ts'
import type { UsageRecord } from '../usage/usage-record.ts'
import { type HubSkills, readHubLock } from './hub-lock.ts'

// What a person hands over.

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

const coversSkill = ({ scope }: OwnershipGrant, skill: GrantSubject): boolean => {
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

// Marks.

/** The skills that came with a product, one `name:hash` a line, `#` for comments (reference skills-curator 1). */
const BUNDLED_PATH = 'skills/.bundled_manifest'

/** Enough for tens of thousands of skills. */
const MAX_BYTES = 1_048_576

/** Only the names; older manifests have no hash. */
const parseBundledManifest = (text: string): ReadonlySet<string> => {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)
  const names = lines.filter((line) => !line.trim().startsWith('#')).map((line) => (line.split(':')[0] ?? '').trim())
  return new Set(names.filter((name) => name !== ''))
}

/** `unreadable` if it is not UTF-8 text or too large: then the bundled skills are unknown. */
const readBundledManifest = async (storage: StorageBackend): Promise<Result<ReadonlySet<string>>> => {
  const document = await readDocument(storage, BUNDLED_PATH)
  if (!document.ok) return document
  if (!document.value) return ok(new Set())
  const unreadable = (why: string, cause?: unknown) => {
    const message = `'${BUNDLED_PATH}' ${why}, so it is unknown which skills are bundled. Repair it, or install the bundled skills again.`
    return err(new HermesError('unreadable', message, { cause, details: { path: BUNDLED_PATH } }))
  }
  if (document.value.bytes.length > MAX_BYTES) return unreadable(`is larger than ${MAX_BYTES} bytes`)
  try {
    return ok(parseBundledManifest(new TextDecoder('utf-8', { fatal: true }).decode(document.value.bytes)))
  } catch (cause) {
    return unreadable('is not valid UTF-8', cause)
  }
}

export interface OwnershipMarks {
  readonly bundled: ReadonlySet<string>
  readonly hub: HubSkills
  /** Those valid at the time of reading. */
  readonly grants: readonly OwnershipGrant[]
}

/** For hosts and tests without bundled, hub or granted skills. */
export const NO_OWNERSHIP_MARKS: OwnershipMarks = { bundled: new Set(), hub: { names: new Set(), paths: new Set() }, grants: [] }

/** `unreadable` if any of them is corrupt. The caller must fail closed: no automatic change of any skill. `clock` decides which grants are valid. */
export const readOwnershipMarks = async (
  storage: StorageBackend,
  { clock = systemClock }: { readonly clock?: Clock } = {},
): Promise<Result<OwnershipMarks>> => {
  const [bundled, hub, grants] = await Promise.all([readBundledManifest(storage), readHubLock(storage), readGrants(storage)])
  if (!bundled.ok) return bundled
  if (!hub.ok) return hub
  if (!grants.ok) return grants
  const at = clock()
  return ok({ bundled: bundled.value, hub: hub.value, grants: grants.value.filter((grant) => isValidAt(grant, at)) })
}

export type SkillOwner = 'agent' | 'user' | 'bundled' | 'hub'

export type SkillProtection = 'pinned' | 'bundled' | 'hub' | 'not-agent-created'

interface SkillGrant {
  /** The union, if several grants cover the skill. */
  readonly allow: readonly GrantedStep[]
  /** Epoch milliseconds of the last grant. The skill's age counts from here at the earliest. */
  readonly grantedAt: number
}

export interface SkillOwnership {
  readonly owner: SkillOwner
  readonly pinned: boolean
  /**
   * Why no automatic change of the skill is allowed; `undefined`: it is. A skill granted for ageing only has `not-agent-created` here,
   * since its text may not be changed: use `protectionAgainst` for a single step.
   */
  readonly protection?: SkillProtection
  /** For a user's skill with a grant. */
  readonly grant?: SkillGrant
}

/** A package of several skills is installed as one folder. */
const isInstalledAt = (path: string, { paths }: HubSkills): boolean =>
  path.split('/').some((_, index, segments) => paths.has(segments.slice(0, index + 1).join('/')))

const ownerOf = (
  { name, path, folderName }: GrantSubject,
  record: UsageRecord | undefined,
  { bundled, hub }: OwnershipMarks,
): SkillOwner => {
  if (isInstalledAt(path, hub) || hub.names.has(name) || hub.names.has(folderName)) return 'hub'
  if (bundled.has(name) || bundled.has(folderName)) return 'bundled'
  return record?.createdBy === 'agent' ? 'agent' : 'user'
}

const grantFor = (skill: GrantSubject, { grants }: OwnershipMarks): SkillGrant | undefined => {
  const covering = grants.filter((grant) => coversSkill(grant, skill))
  if (covering.length === 0) return undefined
  return {
    allow: GRANTED_STEPS.filter((step) => covering.some(({ allow }) => allow.includes(step))),
    grantedAt: Math.max(...covering.map(({ grantedAt }) => grantedAt)),
  }
}

/** A pin takes precedence, whoever owns the skill. A skill without a record is a user's, whatever its text says. */
export const judgeOwnership = (skill: GrantSubject, record: UsageRecord | undefined, marks: OwnershipMarks): SkillOwnership => {
  const owner = ownerOf(skill, record, marks)
  const pinned = record?.pinned ?? false
  const grant = owner === 'user' ? grantFor(skill, marks) : undefined
  const foreign = owner === 'user' ? (grant?.allow.includes('merge') ? undefined : 'not-agent-created') : owner
  const protection = pinned ? 'pinned' : foreign === 'agent' ? undefined : foreign
  return { owner, pinned, ...(protection ? { protection } : {}), ...(grant ? { grant } : {}) }
}

/** Why the curator may not take this step with the skill; `undefined`: it may. */
export const protectionAgainst = ({ owner, pinned, grant }: SkillOwnership, step: GrantedStep): SkillProtection | undefined => {
  if (pinned) return 'pinned'
  if (owner === 'agent') return undefined
  if (owner !== 'user') return owner
  return grant?.allow.includes(step) ? undefined : 'not-agent-created'
}

const WHY: Readonly<Record<SkillProtection, string>> = {
  pinned: 'is pinned, so nothing may change it automatically',
  bundled: 'came with the product, so nothing may change it automatically',
  hub: 'was installed from a hub, so nothing may change it automatically',
  'not-agent-created': 'was not written by the agent, so nothing may change it automatically unless a person hands it over',
}

/** One sentence for the journal and the model: why the skill is not changed. */
export const describeProtection = (protection: SkillProtection, name: string): string => `The skill '${name}' ${WHY[protection]}.`
