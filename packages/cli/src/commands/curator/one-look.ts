/** Readers that read the skills and their usage only once, for commands that need them several times. */
import type { SkillStore, UsageStore } from '@hermes/core/skills'
import type { Context } from '../../context.ts'
import { openSkills, openUsage } from '../skills/open-skills.ts'

const once = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let reading: Promise<T> | undefined
  return () => {
    reading ??= read()
    return reading
  }
}

/** Do not use in commands that change the library. */
export const oneLook = (
  context: Context,
): { readonly skills: Pick<SkillStore, 'list' | 'listArchived'>; readonly usage: Pick<UsageStore, 'load'> } => {
  const skills = openSkills(context)
  const usage = openUsage(context)
  return {
    skills: { list: once(() => skills.list()), listArchived: once(() => skills.listArchived()) },
    usage: { load: once(() => usage.load()) },
  }
}
