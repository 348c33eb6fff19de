/** JSON Schema of the answer, a hint for providers: no optional keys, closed objects, nothing a strict mode refuses (reference ecosystem 3). */
import { MEMORY_ACTIONS, MEMORY_TARGETS } from '../../memory/memory-op.ts'
import { isAboutMemory, isAboutSkills, type ReviewKind } from '../review-kind.ts'

const closed = (properties: Readonly<Record<string, unknown>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

const textOrNull = { type: ['string', 'null'] }

/** What a review may do to skills; the agent's own tool can do more. */
export const REVIEW_SKILL_ACTIONS = ['create', 'patch', 'write_file'] as const

const targetsOf = (kind: ReviewKind): readonly string[] => [
  ...(isAboutMemory(kind) ? MEMORY_TARGETS : []),
  ...(isAboutSkills(kind) ? ['skill'] : []),
]

const actionsOf = (kind: ReviewKind): readonly string[] => [
  ...(isAboutMemory(kind) ? MEMORY_ACTIONS : []),
  ...(isAboutSkills(kind) ? REVIEW_SKILL_ACTIONS : []),
]

/** One flat operation for all targets: not every strict mode knows alternatives. */
export const answerSchema = (kind: ReviewKind): Readonly<Record<string, unknown>> =>
  closed({
    proposals: {
      type: 'array',
      items: closed({
        target: { type: 'string', enum: targetsOf(kind) },
        op: closed({
          action: { type: 'string', enum: actionsOf(kind) },
          ...(isAboutSkills(kind) ? { name: textOrNull, category: textOrNull, filePath: textOrNull } : {}),
          content: textOrNull,
          oldText: textOrNull,
          ...(isAboutSkills(kind) ? { newText: textOrNull } : {}),
        }),
        rationale: { type: 'string' },
        score: { type: 'number' },
        evidence: { type: 'array', items: closed({ messageId: textOrNull, quote: { type: 'string' } }) },
      }),
    },
  })
