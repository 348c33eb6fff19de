/**
 * Grants by which a person lets the curator manage skills, and their revocation. Never offer these to the agent as tools (DESIGN 3, "who
 * approves").
 */

import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { toFolder } from '../skills/skill-discovery.ts'
import { SkillStore } from '../skills/skill-store.ts'
import { updateJsonDocument } from '../storage/json-document.ts'
import { UNCHANGED } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import {
  GRANTED_STEPS,
  type GrantedStep,
  type GrantScope,
  type GrantSubject,
  isNamed,
  isValidAt,
  judgeOwnership,
  MANAGED_PATH,
  managedSchema,
  type OwnershipGrant,
  readGrants,
  readOwnershipMarks,
  type StoredGrant,
  toOwnershipGrant,
  toStoredGrant,
} from './skill-ownership.ts'

export interface GrantTerms {
  /** Default: all of them. */
  readonly allow?: readonly GrantedStep[]
  /** Epoch milliseconds. Default: until it is revoked. */
  readonly until?: number | undefined
}

const invalid = (message: string) => err(new HermesError('invalid', message))

/** Trims the names and removes duplicates. */
const checkScope = (scope: GrantScope): Result<GrantScope> => {
  if ('all' in scope) return ok({ all: true })
  const names = 'skills' in scope ? scope.skills : [scope.category]
  const trimmed = [...new Set(names.map((name) => name.trim().replace(/^\/+|\/+$/g, '')))]
  if (trimmed.length === 0 || trimmed.some((name) => name === '')) {
    return invalid('A blank name hands nothing over. Name skills, a category, or all of them.')
  }
  return ok('skills' in scope ? { skills: trimmed } : { category: trimmed[0] ?? '' })
}

const checkTerms = (allow: readonly GrantedStep[], until: number | undefined, at: number): Result<void> => {
  const unknown = allow.find((step) => !GRANTED_STEPS.includes(step))
  if (unknown !== undefined) return invalid(`'${String(unknown)}' cannot be allowed. Use some of ${GRANTED_STEPS.join(', ')}.`)
  if (allow.length === 0) return invalid(`A grant that allows nothing hands nothing over. Allow some of ${GRANTED_STEPS.join(', ')}.`)
  if (until !== undefined && !Number.isFinite(until)) return invalid('The end of a grant must be a time in epoch milliseconds.')
  if (until !== undefined && until <= at) return invalid('The end of the grant has passed already. Give a later one, or none.')
  return ok(undefined)
}

/** What remains of a grant without the scope. */
const without = (grant: OwnershipGrant, scope: GrantScope): readonly OwnershipGrant[] => {
  if ('skills' in grant.scope && 'skills' in scope) {
    const gone = new Set(scope.skills)
    const skills = grant.scope.skills.filter((name) => !gone.has(name))
    if (skills.length === grant.scope.skills.length) return [grant]
    return skills.length === 0 ? [] : [{ ...grant, scope: { skills } }]
  }
  const isSame =
    ('all' in grant.scope && 'all' in scope) ||
    ('category' in grant.scope && 'category' in scope && grant.scope.category === scope.category)
  return isSame ? [] : [grant]
}

const change = async (
  storage: StorageBackend,
  next: (grants: readonly OwnershipGrant[]) => readonly OwnershipGrant[] | undefined,
): Promise<Result<readonly OwnershipGrant[]>> => {
  const updated = await updateJsonDocument(storage, MANAGED_PATH, managedSchema, (current) => {
    const grants = next((current?.grants ?? []).map(toOwnershipGrant))
    return grants === undefined ? UNCHANGED : { grants: grants.map((grant): StoredGrant => toStoredGrant(grant)) }
  })
  return updated.ok ? ok((updated.value?.grants ?? []).map(toOwnershipGrant)) : updated
}

/** `rejected` if a name is that of a bundled or hub skill, whether the skill exists yet or not. */
const checkHandedOver = async (storage: StorageBackend, clock: Clock, scope: GrantScope): Promise<Result<void>> => {
  if (!('skills' in scope)) return ok(undefined)
  const [marks, listed] = await Promise.all([readOwnershipMarks(storage, { clock }), new SkillStore({ storage, clock }).list()])
  if (!marks.ok) return marks
  if (!listed.ok) return listed
  const isForeign = (skill: GrantSubject): boolean => ['bundled', 'hub'].includes(judgeOwnership(skill, undefined, marks.value).owner)
  const foreign = scope.skills.filter((name) => {
    const there = listed.value.skills.filter((skill) => isNamed(name, skill))
    return there.length > 0 ? there.some(isForeign) : isForeign({ ...toFolder(name), name })
  })
  if (foreign.length === 0) return ok(undefined)
  const named = foreign.map((name) => `'${name}'`).join(', ')
  const message = `Nothing was handed over: ${named} came with the product or from a hub, which maintains it. Leave it out.`
  return err(new HermesError('rejected', message, { details: { skills: foreign } }))
}

/**
 * Replaces a former grant for the same skills; concurrent grants of any number of processes all count. `rejected` if a named skill is
 * bundled or from a hub; a grant for a category, or for all, does not cover those.
 */
export const grantManagement = async (
  storage: StorageBackend,
  clock: Clock,
  scope: GrantScope,
  { allow = GRANTED_STEPS, until }: GrantTerms = {},
): Promise<Result<OwnershipGrant>> => {
  const grantedAt = clock()
  const named = checkScope(scope)
  if (!named.ok) return named
  const checked = checkTerms(allow, until, grantedAt)
  if (!checked.ok) return checked
  const own = await checkHandedOver(storage, clock, named.value)
  if (!own.ok) return own
  const grant: OwnershipGrant = { scope: named.value, allow, until, grantedAt }
  const changed = await change(storage, (grants) => [...grants.flatMap((other) => without(other, grant.scope)), grant])
  return changed.ok ? ok(grant) : changed
}

/** Revokes the grants for these skills. `not_found` if no grant names them, even if a wider grant covers them. */
export const revokeManagement = async (storage: StorageBackend, scope: GrantScope): Promise<Result<readonly OwnershipGrant[]>> => {
  const named = checkScope(scope)
  if (!named.ok) return named
  let isThere = false
  const left = await change(storage, (grants) => {
    const next = grants.flatMap((grant) => without(grant, named.value))
    isThere = grants.some((grant) => !next.includes(grant))
    return isThere ? next : undefined
  })
  if (!left.ok || isThere) return left
  const message =
    'No grant has that name. List the grants: if one for a category or for all skills covers the skill, revoke that one, or pin the skill.'
  return err(new HermesError('not_found', message))
}

/** Present grants, oldest first as stored; expired ones are in `ended`. */
export const listGrants = async (
  storage: StorageBackend,
  clock: Clock,
): Promise<Result<{ readonly grants: readonly OwnershipGrant[]; readonly ended: readonly OwnershipGrant[] }>> => {
  const all = await readGrants(storage)
  if (!all.ok) return all
  const at = clock()
  return ok({ grants: all.value.filter((grant) => isValidAt(grant, at)), ended: all.value.filter((grant) => !isValidAt(grant, at)) })
}
