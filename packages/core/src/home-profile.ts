/** `hermes.profile`: what the host's own code reads and writes of the fields about the user. Every call reads for itself. */
import type { Home } from './home.ts'
import { type MemoryWriteOptions, readWriteOptions } from './home-memory.ts'
import { openMemoryLog } from './journal/memory-log.ts'
import type { MemoryOp } from './memory/memory-op.ts'
import type { MemoryStore } from './memory/memory-store.ts'
import { fieldNameFault, type ProfileValues, profileValues, toFieldOp } from './memory/profile-entry.ts'
import { type AnyProfile, MAX_FIELDS, type ProfileRules, rulesOf } from './memory/profile-schema.ts'
import { HermesError } from './shared/hermes-error.ts'
import { isData, parseJson } from './shared/json-texts.ts'
import { err, ok, type Result } from './shared/result.ts'

/** New values by field; `undefined` takes the field away. */
export type ProfileChanges<Profile> = { readonly [Field in keyof Profile]?: Profile[Field] | undefined }

/**
 * Errors are returned, never thrown: `disabled` without the option `profile`, `invalid` for a schema that cannot be used, else as `MemoryStore.apply`. Whose words a
 * field is, and when it came: `hermes.memory.list('profile')`.
 */
export interface HermesProfile<Profile = AnyProfile> {
  /**
   * The fields that are known and fit the schema, as the schema takes them: without its defaults and transformations. What does not fit any more, after a change of the
   * schema or by hand, goes to the archive of memory; `hermes.memory.why('profile', …)` tells of it.
   */
  read(): Promise<Result<Partial<Profile>>>
  /** In one update with its records in the journal, all or nothing. Resolves to all fields then. `invalid` if a value does not fit, `over_limit` for more than 600 characters. */
  write(changes: ProfileChanges<Profile>, options?: Pick<MemoryWriteOptions, 'by'>): Promise<Result<Partial<Profile>>>
}

const invalid = (message: string): Result<never> => err(new HermesError('invalid', message))

const NO_SCHEMA = 'This home has no profile. Give its fields: createHermes({ profile: z.object({ name: z.string() }), … }).'

/** Values as they are stored: whatever JSON makes of them. */
const readChanges = (changes: unknown): Result<ProfileValues> => {
  if (!isData(changes)) return invalid("hermes.profile.write takes an object of fields, such as { diet: 'vegan' }.")
  const given = Object.entries(changes)
  if (given.length > MAX_FIELDS)
    return invalid(`Nothing was written: ${given.length} fields were given, but a profile has at most ${MAX_FIELDS}.`)
  const read: [string, unknown][] = []
  for (const [field, value] of given) {
    const fault = fieldNameFault(field)
    if (fault !== undefined) return invalid(`Nothing was written: ${fault}.`)
    let json: string | undefined
    try {
      json = JSON.stringify(value)
    } catch {
      json = undefined
    }
    if (json === undefined && value !== undefined) return invalid(`The field '${field.slice(0, 80)}' cannot be stored as JSON.`)
    read.push([field, json === undefined ? undefined : parseJson(json)])
  }
  return ok(Object.fromEntries(read))
}

const UNFIT = 'It does not fit the schema of the profile any more.'

const isRemoval = ({ action }: MemoryOp): boolean => action === 'remove'

/** Work over a store of the home in one update. All its records have one time, so that they count as one act. */
const inOneAct = (home: Home, work: (store: MemoryStore) => Promise<Result<readonly string[]>>): Promise<Result<readonly string[]>> => {
  const { clock, createId, actor } = home
  const at = clock()
  return home.inOneUpdate(actor, (_stores, over, emit) => {
    const log = async () => ok(openMemoryLog({ clock: () => at, createId }, actor))
    return work(home.openMemory({ storage: over, emit, log }))
  })
}

/** One that is taken away goes by itself: a batch may not empty a store. */
const toActs = (ops: readonly MemoryOp[]): readonly (MemoryOp | readonly MemoryOp[])[] => {
  const [last, ...gone] = ops.filter(isRemoval)
  const acts = [gone, last ? [last] : [], ops.filter((op) => !isRemoval(op))]
  return acts.flatMap(([only, ...more]) => (only ? [more.length > 0 ? [only, ...more] : only] : []))
}

/** The entries that fit; the others go to the archive. */
const archiveUnfit = (home: Home, { fitting }: ProfileRules): Promise<Result<readonly string[]>> =>
  inOneAct(home, async (store) => {
    const entries = await store.current('profile')
    if (!entries.ok) return entries
    const kept = fitting(entries.value)
    const unfit = entries.value.filter((entry) => !kept.includes(entry))
    for (const act of toActs(unfit.map((oldText) => ({ action: 'remove', oldText })))) {
      const removed = await store.apply('profile', act, { origin: 'host', reason: UNFIT })
      if (!removed.ok) return removed
    }
    return ok(kept)
  })

export const homeProfile = (home: Home): HermesProfile => {
  const { profile: schema } = home.options
  /** Once nothing in the profile has no place in the schema. */
  const read = async (): Promise<Result<readonly string[]>> => {
    if (!schema) return err(new HermesError('disabled', NO_SCHEMA))
    const rules = rulesOf(schema)
    const fault = rules.fault()
    return fault === undefined ? archiveUnfit(home, rules) : invalid(fault)
  }
  return {
    read: async () => {
      const entries = await read()
      return entries.ok ? ok(profileValues(entries.value)) : entries
    },
    write: async (changes, given) => {
      const options = readWriteOptions(given)
      if (!options.ok) return options
      const values = readChanges(changes)
      if (!values.ok) return values
      const before = await read()
      if (!before.ok) return before
      const { by } = options.value
      const written = await inOneAct(home, async (store) => {
        const entries = await store.current('profile')
        if (!entries.ok) return entries
        const ops = Object.entries(values.value).flatMap(([field, value]) => toFieldOp(entries.value, field, value) ?? [])
        for (const act of toActs(ops)) {
          const applied = await store.apply('profile', act, by && { origin: by })
          if (!applied.ok) return applied
        }
        return store.current('profile')
      })
      return written.ok ? ok(profileValues(written.value)) : written
    },
  }
}
