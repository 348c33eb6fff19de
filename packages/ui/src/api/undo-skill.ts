/** Undoes a change of a skill through the store: a new skill is archived, a changed file gets its former text, an archived skill comes back. */
import { type Hermes, ok, type Result } from '@hermes/core'
import type { SkillOpOutcome } from '@hermes/core/skills'

export const undoSkillWrite = async (hermes: Hermes, outcome: SkillOpOutcome): Promise<Result<unknown>> => {
  const { action, name, filePath, previous } = outcome
  const store = hermes.skillStore()
  if (action === 'archive') return hermes.curator.restore(name)
  if (action === 'create') return hermes.curator.archive(name)
  if (filePath === 'SKILL.md') return previous === undefined ? ok(undefined) : store.edit(name, previous)
  return previous === undefined ? store.removeFile(name, filePath) : store.writeFile(name, filePath, previous)
}
