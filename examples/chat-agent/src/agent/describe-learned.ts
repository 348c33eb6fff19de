/** What a review changed about the skills, in words: `learned a skill: split-bills`. */
import type { AppliedProposal, SkillOpOutcome } from '@hermes/core'
import { oneLine } from '../terminal/clean-text.ts'

const describeChange = ({ action, name, filePath }: SkillOpOutcome): string => {
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

/** Each once; none where the review wrote to memory alone. */
export const describeLearned = (applied: readonly AppliedProposal[]): readonly string[] => [
  ...new Set(applied.flatMap(({ outcome }) => (outcome.target === 'skill' ? [oneLine(describeChange(outcome))] : []))),
]
