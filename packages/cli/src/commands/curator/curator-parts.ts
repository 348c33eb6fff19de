/** What the verbs that change the library work with. */
import type { Journal, SkillStore, StorageBackend, UsageStore } from '@hermes/core'
import type { Context } from '../../context.ts'
import { openJournal } from '../journal/read-journal.ts'
import { openSkills, openUsage } from '../skills/open-skills.ts'

export interface CuratorParts {
  readonly storage: StorageBackend
  readonly skills: SkillStore
  readonly usage: UsageStore
  readonly journal: Journal
  readonly clock: Context['clock']
}

export const curatorParts = (context: Context): CuratorParts => ({
  storage: context.storage,
  clock: context.clock,
  skills: openSkills(context),
  usage: openUsage(context),
  journal: openJournal(context),
})
