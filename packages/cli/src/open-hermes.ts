/**
 * The whole loop over the home: writes, approvals and merges pass the same checks as in an agent and are recorded in the journal as a
 * person's. Loaded on demand, since reading commands do not need it.
 */
import { createHermes, type Hermes, type HermesEvent, type HostModel } from '@hermes/core'
import { toHermesOptions } from '@hermes/core/config'
import { sharedSkills } from './commands/skills/shared-skills.ts'
import type { Context } from './context.ts'

export interface OpenHermesOptions {
  /** Reviews and merges skills. Default: none. */
  readonly model?: HostModel | undefined
  readonly onEvent?: (event: HermesEvent) => void
}

/** A count that could not be written is a warning. */
export const openHermes = (
  { storage, clock, config, home, world, warn }: Context,
  { model, onEvent = () => {} }: OpenHermesOptions = {},
): Hermes => {
  const options = config.ok ? toHermesOptions(config.value.config) : undefined
  return createHermes({
    ...options,
    skills: { shared: sharedSkills({ config, home }) },
    curator: { ...options?.curator, ...(model ? { model } : {}) },
    storage,
    clock,
    createId: world.createId,
    actor: 'person',
    onEvent: (event) => {
      if (event.type === 'storage-failed') warn(event.error.message)
      onEvent(event)
    },
  })
}
