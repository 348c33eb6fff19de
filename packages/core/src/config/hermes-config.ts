/** The settings of `config.yaml` for memory, skills and the curator, named as in the seeds (001, 003). In the file, keys are snake_case. */
import * as z from 'zod/mini'
import { MAX_CHAR_LIMIT } from '../memory/memory-limits.ts'
import type { ShapeOf } from '../shared/check-shape.ts'

/** Contains only what the file sets; defaults are applied by the consumer. */
export interface HermesConfig {
  readonly memory: {
    readonly memoryEnabled?: boolean
    readonly userProfileEnabled?: boolean
    readonly memoryCharLimit?: number
    readonly userCharLimit?: number
    /** User turns between memory reviews; 0 = never. */
    readonly nudgeInterval?: number
    /** The external memory provider: a package, or a file as a path that starts from the home. Empty: none, as in Python Hermes. */
    readonly provider?: string
    /** Passed to the provider unchanged. */
    readonly providerOptions?: Readonly<Record<string, unknown>>
    readonly providerTimeoutMs?: number
    /** Read-only folders with notes that a team shares. Relative paths start from the home. */
    readonly shared?: readonly string[]
    readonly sharedCharLimit?: number
    /** The notes of the team are no text from outside. */
    readonly trustShared?: boolean
    readonly recallChars?: number
  }
  readonly skills: {
    /** Tool iterations between skill reviews; 0 = never. */
    readonly creationNudgeInterval?: number
    /** Read-only skill folders. Relative paths start from the home. */
    readonly shared?: readonly string[]
  }
  readonly curator: {
    readonly enabled?: boolean
    readonly intervalHours?: number
    readonly minIdleHours?: number
    readonly staleAfterDays?: number
    /** `never`: skills are not archived by age. Python Hermes ignores this word and uses its default. */
    readonly archiveAfterDays?: number | 'never'
    /** Ageing of a skill that was never used: not at all, or from its creation as in Python Hermes. */
    readonly neverActive?: 'exempt' | 'from-creation'
    /** Which days count: all days, or only days on which the agent was used. */
    readonly countBy?: 'calendar' | 'active-days'
    /** The name of a model, which the host resolves. */
    readonly reviewModel?: string
    /** What that model costs, in dollars per million tokens in and out, such as `3/15`. */
    readonly reviewPrice?: string
    readonly consolidate?: boolean
    readonly backup: {
      readonly enabled?: boolean
      readonly retainWeeks?: number
    }
  }
}

const aSwitch = z.exactOptional(z.boolean('true or false'))

const count = (unit: string, least: number) => {
  const expected = `a whole number of ${unit}, ${least} or more`
  return z.exactOptional(z.int(expected).check(z.gte(least, expected)))
}

const between = (unit: string, least: number, most: number) => {
  const expected = `a whole number of ${unit} from ${least} to ${most}`
  return z.exactOptional(z.int(expected).check(z.gte(least, expected), z.lte(most, expected)))
}

const oneOf = <const Words extends readonly [string, ...string[]]>(...words: Words) => z.exactOptional(z.enum(words, words.join(' or ')))

const FOLDER = 'the path of a folder'

const folders = () => z.exactOptional(z.array(z.string(FOLDER).check(z.regex(/^[^\0]+$/, FOLDER)), 'a list of folders'))

const A_PROVIDER = 'the name of one package, or the path of one file'

const A_PRICE = 'dollars per million tokens in and out, such as 3/15'

const DAYS_OR_NEVER = 'a whole number of days, 1 or more, or never'

export const hermesConfigSchema = z.object({
  memory: z.object({
    memoryEnabled: aSwitch,
    userProfileEnabled: aSwitch,
    memoryCharLimit: between('characters', 0, MAX_CHAR_LIMIT),
    userCharLimit: between('characters', 0, MAX_CHAR_LIMIT),
    nudgeInterval: count('turns', 0),
    provider: z.exactOptional(z.string(A_PROVIDER).check(z.maxLength(1_024, A_PROVIDER), z.regex(/^[^\0]*$/, A_PROVIDER))),
    providerOptions: z.exactOptional(z.record(z.string(), z.unknown(), 'a mapping of options')),
    // The limits of `createHermes`.
    providerTimeoutMs: between('milliseconds', 1, 2 ** 31 - 1),
    recallChars: between('characters', 0, 16_000),
    shared: folders(),
    sharedCharLimit: between('characters', 0, MAX_CHAR_LIMIT),
    trustShared: aSwitch,
  } satisfies ShapeOf<HermesConfig['memory']>),
  skills: z.object({
    creationNudgeInterval: count('tool iterations', 0),
    shared: folders(),
  } satisfies ShapeOf<HermesConfig['skills']>),
  curator: z.object({
    enabled: aSwitch,
    intervalHours: count('hours', 1),
    minIdleHours: count('hours', 0),
    staleAfterDays: count('days', 1),
    archiveAfterDays: z.exactOptional(z.union([z.int().check(z.gte(1)), z.literal('never')], DAYS_OR_NEVER)),
    neverActive: oneOf('exempt', 'from-creation'),
    countBy: oneOf('calendar', 'active-days'),
    reviewModel: z.exactOptional(z.string('the name of a model').check(z.minLength(1, 'the name of a model'))),
    reviewPrice: z.exactOptional(z.string(A_PRICE).check(z.regex(/^\d{1,6}(\.\d{1,6})?\/\d{1,6}(\.\d{1,6})?$/, A_PRICE))),
    consolidate: aSwitch,
    backup: z.object({ enabled: aSwitch, retainWeeks: count('weeks', 1) } satisfies ShapeOf<HermesConfig['curator']['backup']>),
  } satisfies ShapeOf<HermesConfig['curator']>),
} satisfies ShapeOf<HermesConfig>)

export const EMPTY_CONFIG: HermesConfig = { memory: {}, skills: {}, curator: { backup: {} } }

/** Parts of `HermesOptions` that the file sets. Spreading it keeps all other defaults. */
export interface ConfiguredOptions {
  readonly memory: Omit<HermesConfig['memory'], 'nudgeInterval' | 'provider' | 'providerOptions' | 'shared'>
  readonly nudge: { readonly memoryInterval?: number; readonly skillInterval?: number }
  readonly curator: Omit<HermesConfig['curator'], 'reviewModel' | 'reviewPrice'>
}

/** Everything except what the host must resolve: the model of the curator and its price, the folders of shared skills and notes, and the memory provider. Use: `createHermes({ storage, ...toHermesOptions(config) })`. */
export const toHermesOptions = ({
  memory: { nudgeInterval, provider: _provider, providerOptions: _options, shared: _shared, ...memory },
  skills: { creationNudgeInterval },
  curator: { reviewModel: _model, reviewPrice: _price, ...curator },
}: HermesConfig): ConfiguredOptions => ({
  memory,
  nudge: {
    ...(nudgeInterval === undefined ? {} : { memoryInterval: nudgeInterval }),
    ...(creationNudgeInterval === undefined ? {} : { skillInterval: creationNudgeInterval }),
  },
  curator,
})
