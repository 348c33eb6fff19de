/** JSON Schema of a consolidation's answer, for providers that answer in nothing but JSON: closed objects, no optional keys, as strict modes ask (reference ecosystem 3). */
import { CONSOLIDATION_METHODS } from '../../curator/report/consolidation-report.ts'

const closed = (properties: Readonly<Record<string, unknown>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

const listOf = (properties: Readonly<Record<string, unknown>>) => ({ type: 'array', items: closed(properties) })

const text = { type: 'string' }
const textOrNull = { type: ['string', 'null'] }

export const CONSOLIDATION_SCHEMA: Readonly<Record<string, unknown>> = closed({
  summary: text,
  consolidations: listOf({
    from: text,
    into: text,
    method: { type: 'string', enum: CONSOLIDATION_METHODS },
    reason: text,
    score: { type: 'number' },
  }),
  prunings: listOf({ name: text, reason: text, score: { type: 'number' } }),
  umbrellas: listOf({ name: text, category: textOrNull, content: textOrNull, files: listOf({ path: text, content: text }) }),
})
