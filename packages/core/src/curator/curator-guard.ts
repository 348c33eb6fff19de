/** Ensures that no verb of `hermes.curator` rejects or throws, whatever its arguments and the host's clock do. */
import * as z from 'zod/mini'
import { checkShape } from '../shared/check-shape.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { HermesCurator } from './hermes-curator.ts'

const options = z.optional(z.looseObject({}))
const skill = z.string('must be the name or the folder of a skill')
const skillNames = z.array(z.string()).check(z.minLength(1))
const scope = z.union(
  [z.looseObject({ skills: skillNames }), z.looseObject({ category: z.string() }), z.looseObject({ all: z.literal(true) })],
  "must be { skills: ['name', …] }, { category: 'name' } or { all: true }",
)
const entries = z.array(z.looseObject({ id: z.string(), name: z.string(), path: z.string() }), 'must be entries that `prunable()` returned')

const invalid = (verb: keyof HermesCurator, { issues: [first] }: z.core.$ZodError): HermesError => {
  const place = first && first.path.length > 0 ? `argument ${Number(first.path[0]) + 1}` : 'the list of arguments'
  return new HermesError('invalid', `hermes.curator.${verb}() was not carried out: ${place} ${first?.message ?? 'is wrong'}.`)
}

const unexpected = (verb: keyof HermesCurator, cause: unknown): HermesError =>
  HermesError.isInstance(cause)
    ? cause
    : new HermesError(
        'io',
        `hermes.curator.${verb}() stopped: ${String(cause)}. Check the clock, the id source and the back end that createHermes was given.`,
        {
          cause,
        },
      )

/** Returns an error for the first wrong argument or for anything thrown; otherwise the result of the call. */
const guard =
  <Given extends readonly unknown[], T>(verb: keyof HermesCurator, shape: z.ZodMiniType, call: (...given: Given) => Promise<Result<T>>) =>
  async (...given: Given): Promise<Result<T>> => {
    const checked = checkShape(shape, given)
    if (!checked.success) return err(invalid(verb, checked.error))
    try {
      return await call(...given)
    } catch (cause) {
      return err(unexpected(verb, cause))
    }
  }

const nothing = z.array(z.unknown())
const oneSkill = z.tuple([skill], z.unknown())

/** The same verbs. A wrong argument is `invalid` before anything is done; anything thrown becomes `io`. */
export const guardedCurator = (curator: HermesCurator): HermesCurator => ({
  maybeRun: async (...given) => {
    const maybeRun = async (...call: typeof given) => ok(await curator.maybeRun(...call))
    const answered = await guard('maybeRun', z.tuple([options], z.unknown()), maybeRun)(...given)
    return answered.ok ? answered.value : { ran: false, reason: 'failed', error: answered.error }
  },
  run: guard('run', z.tuple([options], z.unknown()), curator.run),
  status: guard('status', nothing, curator.status),
  pause: guard('pause', nothing, curator.pause),
  resume: guard('resume', nothing, curator.resume),
  pin: guard('pin', oneSkill, curator.pin),
  unpin: guard('unpin', oneSkill, curator.unpin),
  archive: guard('archive', z.tuple([skill, options], z.unknown()), curator.archive),
  restore: guard('restore', oneSkill, curator.restore),
  listArchived: guard('listArchived', nothing, curator.listArchived),
  manage: guard('manage', z.tuple([scope, options], z.unknown()), curator.manage),
  unmanage: guard('unmanage', z.tuple([scope], z.unknown()), curator.unmanage),
  grants: guard('grants', nothing, curator.grants),
  backup: guard('backup', z.tuple([z.optional(z.string())], z.unknown()), curator.backup),
  backups: guard('backups', nothing, curator.backups),
  rollback: guard('rollback', z.tuple([z.optional(z.string()), options], z.unknown()), curator.rollback),
  prunable: guard('prunable', z.tuple([z.optional(z.number())], z.unknown()), curator.prunable),
  prune: guard('prune', z.tuple([entries], z.unknown()), curator.prune),
})
