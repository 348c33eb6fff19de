/** The provider as config.yaml names it: `memory.provider: recall`. */
import { join } from 'node:path'
import { type RecallProvider, recallProvider } from './recall-provider.ts'
import { sqliteRecallIndex } from './sqlite/sqlite-recall-index.ts'

export interface ConfiguredRecall {
  /** Folder of the home. */
  readonly home: string
  /** `folder`, `retain_days` (a number or `forever`), `half_life_days`, and `embed` (`local`). */
  readonly options: Readonly<Record<string, unknown>>
}

const KNOWN = ['folder', 'retain_days', 'half_life_days', 'embed']

/** Throws a TypeError for an option that is not known or cannot be used. */
export const recallFromConfig = ({ home, options }: ConfiguredRecall): RecallProvider => {
  const unknown = Object.keys(options).find((key) => !KNOWN.includes(key))
  if (unknown !== undefined)
    throw new TypeError(`memory.provider_options has '${unknown.slice(0, 80)}', which recall does not know. It takes ${KNOWN.join(', ')}.`)
  const { folder = join(home, 'recall'), retain_days: retainDays, half_life_days: halfLifeDays, embed } = options
  return recallProvider({
    // Checked there, with a message for people.
    index: sqliteRecallIndex({ folder: folder as string }),
    ...(retainDays === undefined ? {} : { retainDays: retainDays as number | 'forever' }),
    ...(halfLifeDays === undefined ? {} : { halfLifeDays: halfLifeDays as number }),
    ...(embed === undefined ? {} : { embed: embed as 'local' }),
  })
}
