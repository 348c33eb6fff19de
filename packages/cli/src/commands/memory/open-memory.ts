/** The memory of the home, with the limits from its config.yaml. */
import { type HermesError, MemoryStore, type Result } from '@hermes/core'
import { toHermesOptions } from '@hermes/core/config'
import type { SharedNote } from '@hermes/core/memory'
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

/** The notes that a team shares; a folder that cannot be read is a warning. */
export const readTeamNotes = async (context: Context): Promise<readonly SharedNote[]> => {
  if (!context.config.ok || context.config.value.config.memory.shared === undefined) return []
  const { openHermes } = await import('../../open-hermes.ts')
  const read = await openHermes(context).memory.shared()
  for (const { message } of read.ok ? read.value.problems : [read.error]) context.warn(message)
  return read.ok ? read.value.notes : []
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
