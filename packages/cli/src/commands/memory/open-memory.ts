/** The memory of the home, with the limits from its config.yaml. */
import { type HermesError, MemoryStore, type Result } from '@hermes/core'
import { toHermesOptions } from '@hermes/core/config'
import { projectName } from '../../arguments.ts'
import type { Context } from '../../context.ts'

/** Failures beside a change, such as an old backup that could not be deleted, are warnings by default. */
export const openMemory = (
  { storage, clock, config, warn, project }: Context,
  onFailure: (error: HermesError) => void = ({ message }) => warn(message),
): MemoryStore =>
  new MemoryStore({
    ...(config.ok ? toHermesOptions(config.value.config).memory : {}),
    storage,
    ...(project === undefined ? {} : { project }),
    clock,
    onFailure,
  })

/** The projects that have notes, by name. */
export const readProjects = async (context: Context): Promise<Result<readonly string[]>> => {
  const { openHermes } = await import('../../open-hermes.ts')
  return openHermes(context).projects()
}

/** For verbs that write: their changes are recorded in the journal. */
export const openJournalledMemory = async (context: Context): Promise<MemoryStore> => {
  const { openWithProvider } = await import('../../open-hermes.ts')
  return (await openWithProvider(context)).memoryStore({ project: context.project })
}

/** The context of a verb that names a project with `--project`. */
export const inProject = (context: Context, project: string | undefined): Context =>
  project === undefined ? context : { ...context, project }

export const PROJECT = { requiresArg: true, describe: 'the project whose notes are the store project', coerce: projectName } as const
