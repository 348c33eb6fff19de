/** `hermes.curator` of the home, for verbs that change the library, with its settings and warnings. */
import type { HermesCurator, HermesError, HostModel } from '@hermes/core'
import { toHermesOptions } from '@hermes/core/config'
import type { CuratorSettings, SkillBackup } from '@hermes/core/curator'
import type { Context } from '../../context.ts'

export const openCurator = async (context: Context, model?: HostModel): Promise<HermesCurator> => {
  const { openHermes } = await import('../../open-hermes.ts')
  return openHermes(context, { model }).curator
}

export const curatorSettings = ({ config }: Context): CuratorSettings => (config.ok ? toHermesOptions(config.value.config).curator : {})

export const warnOf = (problems: readonly HermesError[], { warn }: Context): void => {
  for (const { message } of problems) warn(message)
}

/** The positional of verbs that name a skill. */
export const SKILL_NAME = { type: 'string', demandOption: true, describe: 'the name or the folder of a skill' } as const

/** The backup for programs, with the number of its files instead of their names. */
export const toBackupValue = ({ files, ...backup }: SkillBackup): object => ({ ...backup, fileCount: files.length })
