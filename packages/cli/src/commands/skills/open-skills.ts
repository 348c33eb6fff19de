/** The skills of the home and their usage counts, with a warning for what cannot be read. */
import { SkillStore, UsageStore } from '@hermes/core/skills'
import type { Context } from '../../context.ts'

export const openSkills = ({ storage, clock }: Context): SkillStore => new SkillStore({ storage, clock })

export const openUsage = ({ storage, clock, warn }: Context): UsageStore =>
  new UsageStore({ storage, clock, onProblem: ({ message }) => warn(message) })
