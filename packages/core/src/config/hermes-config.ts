/** What a home's `config.yaml` may say about memory, skills and the curator, in the words of the seeds (001, 003); on disk the keys are snake_case. */
import { z } from 'zod'

const aSwitch = z.boolean('true or false').exactOptional()

const count = (unit: string, least: number) => {
  const expected = `a whole number of ${unit}, ${least} or more`
  return z.int(expected).min(least, expected).exactOptional()
}

const oneOf = <const Words extends readonly [string, ...string[]]>(...words: Words) => z.enum(words, words.join(' or ')).exactOptional()

const FOLDER = 'the path of a folder'

const DAYS_OR_NEVER = 'a whole number of days, 1 or more, or never'

export const hermesConfigSchema = z.object({
  memory: z.object({
    memoryEnabled: aSwitch,
    userProfileEnabled: aSwitch,
    memoryCharLimit: count('characters', 0),
    userCharLimit: count('characters', 0),
    /** User turns between memory reviews; 0 = never. */
    nudgeInterval: count('turns', 0),
  }),
  skills: z.object({
    /** Tool iterations between skill reviews; 0 = never. */
    creationNudgeInterval: count('tool iterations', 0),
    /** Folders of skills that are read and never changed; a relative one starts from the home. */
    shared: z.array(z.string(FOLDER).regex(/^[^\0]+$/, FOLDER), 'a list of folders').exactOptional(),
  }),
  curator: z.object({
    enabled: aSwitch,
    intervalHours: count('hours', 1),
    minIdleHours: count('hours', 0),
    staleAfterDays: count('days', 1),
    /** `never`: no skill is archived by its age. Python Hermes takes that word for its default. */
    archiveAfterDays: z.union([z.int().min(1), z.literal('never')], DAYS_OR_NEVER).exactOptional(),
    /** Of a skill that was never used: it does not age, or it ages from its creation as in Python Hermes. */
    neverActive: oneOf('exempt', 'from-creation'),
    /** Which days count: all, or those on which the agent was used. */
    countBy: oneOf('calendar', 'active-days'),
    /** The name of a model; the host knows what it stands for. */
    reviewModel: z.string('the name of a model').min(1, 'the name of a model').exactOptional(),
    consolidate: aSwitch,
    backup: z.object({ enabled: aSwitch, retainWeeks: count('weeks', 1) }),
  }),
})

/** Only what the file sets: what it leaves out keeps the default of whoever takes it. */
export type HermesConfig = z.infer<typeof hermesConfigSchema>

/** `curator` of a `HermesConfig`: times in the unit of their name. */
export type CuratorConfig = HermesConfig['curator']

export const EMPTY_CONFIG: HermesConfig = { memory: {}, skills: {}, curator: { backup: {} } }
