/** The schema of a profile: any Standard Schema of an object (standardschema.dev), and what of a stored profile fits it. Pure, as far as the schema is. */
import { countCodePoints } from '../shared/code-points.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { isData } from '../shared/json-texts.ts'
import { fieldNameFault, type ProfileValues, parseProfileEntry, profileValues } from './profile-entry.ts'

interface Issue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

interface Validated {
  readonly value?: unknown
  readonly issues?: readonly Issue[] | undefined
}

/** What libraries of schemas implement. With `jsonSchema` (Standard JSON Schema) a reviewer is told the fields; without it, only the host's code writes them. */
export interface ProfileSchema<Input = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => Validated | Promise<Validated>
    readonly types?: { readonly input: Input; readonly output: unknown } | undefined
    readonly jsonSchema?: { readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown> } | undefined
  }
}

const rules = new WeakMap<object, ProfileRules>()

/** Read once for each schema. */
export const rulesOf = (schema: ProfileSchema): ProfileRules => {
  const found = rules.get(schema) ?? new ProfileRules(schema)
  rules.set(schema, found)
  return found
}

/** The fields of a profile as they are stored: what the schema takes, before its defaults and transformations. */
export type ProfileOf<Schema extends ProfileSchema> = NonNullable<Schema['~standard']['types']>['input']

/** Of a home whose options name no schema. */
export type AnyProfile = Readonly<Record<string, unknown>>

export const MAX_FIELDS = 100

interface Misfit {
  /** The field; undefined if it is about all of them. */
  readonly key: string | undefined
  readonly message: string
}

const toMisfit = ({ path: [first] = [], message }: Issue): Misfit => {
  const key = typeof first === 'object' ? first.key : first
  return { key: key === undefined ? undefined : String(key), message: String(message).slice(0, 300) }
}

const IS_ASYNC =
  'The schema of the profile validates asynchronously. Give one without asynchronous checks: what it fetches belongs into your own code.'

export class ProfileRules {
  readonly #schema: ProfileSchema
  #fields: ReadonlyMap<string, unknown> | undefined | 'unread' = 'unread'

  constructor(schema: ProfileSchema) {
    this.#schema = schema
  }

  /** The JSON schema of each field, in order; undefined if the schema cannot tell. */
  get fields(): ReadonlyMap<string, unknown> | undefined {
    if (this.#fields === 'unread') this.#fields = this.#readFields()
    return this.#fields
  }

  #readFields(): ReadonlyMap<string, unknown> | undefined {
    try {
      const described = this.#schema['~standard'].jsonSchema?.input({ target: 'draft-2020-12' })['properties']
      // What a request cannot contain is no JSON schema.
      const properties: unknown = described && JSON.parse(JSON.stringify(described))
      return isData(properties) ? new Map(Object.entries(properties)) : undefined
    } catch {
      // Not every schema has a JSON schema, such as one of a date.
      return undefined
    }
  }

  /** What is wrong with the schema itself; undefined if it can be used. */
  fault(): string | undefined {
    const names = [...(this.fields?.keys() ?? [])]
    if (names.length > MAX_FIELDS)
      return `The schema of the profile has ${names.length} fields, but the profile is shown in every prompt, so it may have at most ${MAX_FIELDS}. Keep the rest in your own database.`
    const fault = names.map(fieldNameFault).find((each) => each !== undefined)
    if (fault !== undefined) return `The schema of the profile cannot be used: ${fault}. Rename that field.`
    const found = this.#misfits({})
    return typeof found === 'string' ? found : undefined
  }

  /** The misfits, or why there are none to be had. */
  #misfits(values: ProfileValues): readonly Misfit[] | string {
    try {
      const validated: unknown = this.#schema['~standard'].validate(values)
      if (typeof validated !== 'object' || validated === null) throw new TypeError('it did not answer with { value } or { issues }')
      if (!('then' in validated)) return ((validated as Validated).issues ?? []).map(toMisfit)
      // It is never awaited; its rejection must not end the process.
      Promise.resolve(validated).catch(() => undefined)
      return IS_ASYNC
    } catch (cause) {
      return `The schema of the profile threw an error: ${String(cause).slice(0, 200)}`
    }
  }

  /** Why a field has no place among these values; undefined if it fits. A profile fills up over time, so fields that are missing are no fault. */
  readonly misfit = (values: ProfileValues, field: string): string | undefined => {
    const fault = fieldNameFault(field)
    if (fault !== undefined) return fault
    if (this.fields && !this.fields.has(field))
      return `The schema of the profile has no field '${field}'. Its fields: ${[...this.fields.keys()].join(', ').slice(0, 300)}`
    const found = this.#misfits(values)
    if (typeof found === 'string') return found
    const about = found.find(({ key }) => key === undefined || Object.hasOwn(values, key))
    return about && `The field '${about.key ?? field}' does not fit the schema of the profile: ${about.message}.`
  }

  /** The entries that fit together, in their order. */
  readonly fitting = (entries: readonly string[]): readonly string[] => {
    const fields = entries.flatMap((entry) => parseProfileEntry(entry)?.field ?? [])
    const values = profileValues(entries)
    if (fields.length === entries.length && fields.every((field) => this.misfit(values, field) === undefined)) return entries
    let kept: ProfileValues = {}
    return entries.filter((entry) => {
      const own = parseProfileEntry(entry)
      const next = own && { ...kept, [own.field]: own.value }
      if (!next || this.misfit(next, own.field) !== undefined) return false
      kept = next
      return true
    })
  }
}

/** Code points of one entry. */
const MAX_FIELD_CHARS = 600

/** Why a change cannot be: whatever writes, entries of the profile are fields, each of them once, that fit the schema. Undefined if it can. `rules`: undefined where nobody knows the schema. */
export const profileFault = (
  before: readonly string[],
  { entries, confirmed }: { readonly entries: readonly string[]; readonly confirmed: readonly string[] },
  rules: ProfileRules | undefined,
): HermesError | undefined => {
  const written = confirmed.filter((entry) => !before.includes(entry))
  const kept = rules?.fitting(entries.filter((entry) => !written.includes(entry))) ?? []
  for (const entry of written) {
    const own = parseProfileEntry(entry)
    if (!own) return new HermesError('invalid', 'An entry of the profile is a field with its value as JSON, such as diet: "vegan".')
    const { field } = own
    const chars = countCodePoints(entry)
    if (chars > MAX_FIELD_CHARS) {
      const message = `The field '${field}' would have ${chars} characters, but a field of the profile may have at most ${MAX_FIELD_CHARS}. Shorten it.`
      return new HermesError('over_limit', message, { details: { field, chars, maxChars: MAX_FIELD_CHARS } })
    }
    if (entries.some((other) => other !== entry && parseProfileEntry(other)?.field === field))
      return new HermesError('occupied', `The field '${field}' has another value by now. Read the profile again, then retry.`, {
        details: { field },
      })
    const unfit = rules?.misfit(profileValues([...kept, ...written]), field)
    if (unfit !== undefined) return new HermesError('invalid', unfit, { details: { field } })
  }
  return undefined
}
