/** The owner of a home and its folder. On every file system, two owners have different folders, and no owner can name a path outside their folder (DESIGN 4). */
import { sha256OfText } from '../shared/sha256.ts'
import { escapeName, problemOfName, unescapeName } from '../storage/path-segment.ts'
import { HOMES_FOLDER, OWNERS_FOLDER } from '../storage/storage-paths.ts'

/** A user, by any id that the host has for them, or a user of a tenant. Each id has 1 to 512 characters of any script. */
export type Owner = string | { readonly tenant?: string | undefined; readonly user: string }

/** The normalised form of an `Owner`. */
export interface OwnerId {
  readonly tenant?: string
  readonly user: string
}

const MAX_LENGTH = 512

const check = (what: 'user' | 'tenant', value: unknown): string => {
  const problem = problemOfName(value, MAX_LENGTH)
  if (problem === undefined) return value as string
  const whose = what === 'user' ? 'the id of the signed-in user' : 'the id of the tenant, or leave it out'
  throw new TypeError(`The owner's ${what} ${problem}. Pass ${whose}: a string of 1 to ${MAX_LENGTH} characters.`)
}

const KEYS: readonly string[] = ['tenant', 'user']

/** Throws a TypeError for an invalid owner. */
export const toOwnerId = (owner: Owner): OwnerId => {
  // JavaScript callers may pass anything.
  const given: unknown = owner
  if (typeof given !== 'object' || given === null) return { user: check('user', given) }
  const unknown = Object.keys(given).find((key) => !KEYS.includes(key))
  if (unknown !== undefined) {
    throw new TypeError(`An owner is a string or { tenant, user }, so '${unknown.slice(0, 80)}' is an unknown key.`)
  }
  const user = check('user', Reflect.get(given, 'user'))
  const tenant: unknown = Reflect.get(given, 'tenant')
  return tenant === undefined ? { user } : { tenant: check('tenant', tenant), user }
}

/** Equal for equal owners only. */
export const ownerKey = ({ tenant, user }: OwnerId): string => JSON.stringify([tenant ?? null, user])

/** Identifies a home within this process, independently of its handles. */
export interface HomeIdentity {
  /** The host's own storage object. */
  readonly storage: object
  /** Set if the storage has many owners. */
  readonly owner?: OwnerId | undefined
}

export const isSameHome = (a: HomeIdentity, b: HomeIdentity): boolean => {
  if (a.storage !== b.storage) return false
  if (a.owner === undefined || b.owner === undefined) return a.owner === b.owner
  return ownerKey(a.owner) === ownerKey(b.owner)
}

const MAX_READABLE = 100
const NO_TENANT = '~none'
// An escaped name never contains `~-`, so it marks a hashed name.
const HASHED = '~-'

const toSegment = async (text: string): Promise<string> => {
  const escaped = escapeName(text)
  return escaped.length <= MAX_READABLE ? escaped : `${escaped.slice(0, 24)}${HASHED}${await sha256OfText(text)}`
}

/** `<tenant>/<user>`, two valid path segments of at most 100 characters. */
export const ownerPath = async ({ tenant, user }: OwnerId): Promise<string> =>
  `${tenant === undefined ? NO_TENANT : await toSegment(tenant)}/${await toSegment(user)}`

/** `ProviderHome.folder` of an owner: `homes/<tenant>/<user>`; `''` for the home of a single person. Throws a TypeError for an invalid owner. */
export const providerFolder = async (owner: Owner | undefined): Promise<string> =>
  owner === undefined ? '' : (await placeOf(toOwnerId(owner))).folder

export const REGISTRATION_SUFFIX = '.json'

export interface OwnerPlace {
  /** The document that exists as long as the owner has a home. */
  readonly registration: string
  /** The folder of the home. */
  readonly folder: string
}

export const placeOf = async (owner: OwnerId): Promise<OwnerPlace> => {
  const path = await ownerPath(owner)
  return { registration: `${OWNERS_FOLDER}/${path}${REGISTRATION_SUFFIX}`, folder: `${HOMES_FOLDER}/${path}` }
}

/** The owner of a path; `undefined` if a name is hashed or `ownerPath` did not make the path. */
export const ownerOfPath = (path: string): OwnerId | undefined => {
  const [tenantSegment, userSegment, ...more] = path.split('/')
  if (tenantSegment === undefined || userSegment === undefined || more.length > 0) return undefined
  const user = unescapeName(userSegment)
  const tenant = tenantSegment === NO_TENANT ? undefined : unescapeName(tenantSegment)
  if (!user || (tenantSegment !== NO_TENANT && !tenant)) return undefined
  return tenant === undefined ? { user } : { tenant, user }
}
