/** What became of a review's proposals, in words: `learned a skill: split-bills`, `held: add memory: … · why`. */

import type { ReviewOutcome, ReviewProposal } from '@hermes/core'
import type { AppliedProposal, RejectedProposal } from '@hermes/core/review'
import type { SkillOpOutcome } from '@hermes/core/skills'
import { describeOp } from '../commands/describe-op.ts'
import { oneLine } from '../terminal/clean-text.ts'

const MAX_REASON_CHARS = 160

const describeSkill = ({ action, name, filePath }: SkillOpOutcome): string => {
  switch (action) {
    case 'create':
      return `learned a skill: ${name}`
    case 'edit':
    case 'patch':
      return `improved the skill ${name}`
    case 'write_file':
      return `added ${filePath} to the skill ${name}`
    case 'remove_file':
      return `removed ${filePath} from the skill ${name}`
    case 'archive':
      return `archived the skill ${name}`
  }
}

const describeItem = (word: string, { target, op }: ReviewProposal, reason: string): string =>
  `${word}: ${describeOp(target, op)} · ${oneLine(reason, MAX_REASON_CHARS)}`

const describeApplied = ({ proposal, verdict, outcome }: AppliedProposal): string => {
  if (outcome.target === 'skill') return oneLine(describeSkill(outcome))
  return describeItem(verdict.origin === 'tool' ? 'applied, from outside' : 'applied', proposal, verdict.reason)
}

const describeEvicted = ({ outcome }: AppliedProposal): readonly string[] =>
  outcome.target === 'skill'
    ? []
    : (outcome.evicted ?? []).map(({ text }) => `moved to the archive to make room: ${oneLine(text, MAX_REASON_CHARS)}`)

const isProposal = (raw: unknown): raw is ReviewProposal => typeof raw === 'object' && raw !== null && 'target' in raw && 'op' in raw

const describeHeld = ({ proposal, reason, held }: RejectedProposal): readonly string[] =>
  held && isProposal(proposal) ? [describeItem('held', proposal, reason)] : []

/** Each line once; none for what was rejected or failed. */
export const describeLearned = ({ applied, rejected }: Pick<ReviewOutcome, 'applied' | 'rejected'>): readonly string[] => [
  ...new Set([...applied.map(describeApplied), ...applied.flatMap(describeEvicted), ...rejected.flatMap(describeHeld)]),
]
