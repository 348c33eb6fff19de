/** Readers that read the skills and their usage only once, for commands that need them several times. */
import type { RunCuratorOptions } from '@hermes/core/curator'
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
export const oneLook = (context: Context): Pick<RunCuratorOptions, 'skills' | 'usage'> => {
  const skills = openSkills(context)
  const usage = openUsage(context)
  return {
    skills: {
      list: once(() => skills.list()),
      listArchived: once(() => skills.listArchived()),
      archiver: skills.archiver.bind(skills),
      restore: skills.restore.bind(skills),
    },
    usage: { load: once(() => usage.load()), setStates: usage.setStates.bind(usage) },
  }
}
