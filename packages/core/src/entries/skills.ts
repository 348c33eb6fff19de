/** Skills, their use and their owners. */

export { type SkillChecksOptions, skillChecks } from '../evaluation/skill-checks.ts'
export type {
  SkillEvaluation,
  SkillEvaluationContext,
  SkillEvaluator,
} from '../evaluation/skill-evaluator.ts'
export { type SkillTest, type SkillTestOptions, testSkill } from '../evaluation/test-skill.ts'
export { changeHubLock, readInstalled, type SkillSource } from '../ownership/hub-lock.ts'
export {
  judgeOwnership,
  NO_OWNERSHIP_MARKS,
  type OwnershipMarks,
  readOwnershipMarks,
  type SkillOwner,
  type SkillOwnership,
} from '../ownership/skill-ownership.ts'
export type { ArchivedSkill, RestoredSkill } from '../skills/archive.ts'
export { type AskModel, countPassed, type PlayedCheck, type SkillQuestion } from '../skills/checks/play-checks.ts'
export { type CheckedAnswer, type ExpectedText, judgeAnswer, type NamedCheck, type SkillCheck } from '../skills/checks/skill-check.ts'
export type { ArchiveListing } from '../skills/list-archive.ts'
export type { SkillChange, SkillPlan } from '../skills/plan-skill.ts'
export { readSkillFiles } from '../skills/read-skill-files.ts'
export type { SkillListEntry, SkillListing } from '../skills/skill-index.ts'
export type { SkillOp, SkillOpOutcome } from '../skills/skill-op.ts'
export type { SkillReader } from '../skills/skill-reader.ts'
export { readSkillRows, type SkillRow, type SkillRows, toSkillRow } from '../skills/skill-row.ts'
export { SkillStore } from '../skills/skill-store.ts'
export type { SkillFileView, SkillView } from '../skills/skill-view.ts'
export type { SkillState, UsageRecord } from '../usage/usage-record.ts'
export { UsageStore } from '../usage/usage-store.ts'
export { readUsesByDay } from '../usage/uses-by-day.ts'
