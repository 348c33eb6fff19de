/** JSON Schema of the answer, a hint for providers: no optional keys, closed objects, nothing a strict mode refuses (reference ecosystem 3). */
import { MEMORY_ACTIONS, MEMORY_TARGETS } from '../memory/memory-op.ts'

const closed = (properties: Readonly<Record<string, unknown>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

const textOrNull = { type: ['string', 'null'] }

export const ANSWER_SCHEMA: Readonly<Record<string, unknown>> = closed({
  proposals: {
    type: 'array',
    items: closed({
      target: { type: 'string', enum: [...MEMORY_TARGETS] },
      op: closed({ action: { type: 'string', enum: [...MEMORY_ACTIONS] }, content: textOrNull, oldText: textOrNull }),
      rationale: { type: 'string' },
      score: { type: 'number' },
      evidence: { type: 'array', items: closed({ messageId: textOrNull, quote: { type: 'string' } }) },
    }),
  },
})
