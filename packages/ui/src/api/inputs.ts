/** What requests may contain. */
import { projectFault } from '@hermes/core/memory'
import * as z from 'zod/mini'
import { SKILL_CHANGES, SKILL_FILTERS, SKILL_ORDERS } from './skills.ts'
import { TIMELINE_EVENTS } from './timeline-events.ts'

const KINDS = [
  'applied',
  'rejected',
  'held',
  'settled',
  'failed',
  'invalid',
  'review-retried',
  'review-finished',
  'review-failed',
  'review-stopped',
  'curator-finished',
  'curator-failed',
] as const

const count = (most: number, standard: number) => z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(most)), standard)
const text = z._default(z.string().check(z.maxLength(2_000)), '')
const MAX_AT = 8_640_000_000_000_000

const now = z.coerce.number().check(z.minimum(0), z.maximum(MAX_AT))

const page = { offset: count(1_000_000, 0), limit: count(500, 100) }

export const ownersQuery = z.object({ query: text, limit: count(500, 100) })
export const inboxQuery = z.object(page)
export const skillsQuery = z.object({
  ...page,
  query: text,
  sort: z._default(z.enum(SKILL_ORDERS), 'uses'),
  only: z._default(z.enum(SKILL_FILTERS), 'all'),
  now: z._default(now, 0),
})
export const skillQuery = z.object({ name: z.string(), now: z._default(now, 0) })
export const ledgerQuery = z.object({
  days: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(366)), 30),
  now,
})
export const timelineQuery = z.object({ ...ledgerQuery.shape, text, event: z.optional(z.enum(TIMELINE_EVENTS)) })
export const journalQuery = z.object({
  limit: count(500, 50),
  text,
  kind: z.optional(z.enum(KINDS)),
  until: z.optional(z.coerce.number().check(z.minimum(-MAX_AT), z.maximum(MAX_AT))),
  skip: count(10_000, 0),
})

/** Of which the notes are meant. */
const project = z.optional(z.string().check(z.refine((name) => projectFault(name) === undefined, 'is not the name of a project')))
const target = z.enum(['memory', 'user', 'project', 'profile'])

export const memoryQuery = z.object({ query: text, project })
export const whyQuery = z.object({ text: z.string(), project })

export const entryChangeSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('replace'), project, target, text: z.string(), content: z.string() }),
  z.object({ action: z.enum(['remove', 'pin', 'unpin']), project, target, text: z.string() }),
  z.object({ action: z.literal('restore'), project, id: z.string() }),
])

export const forgetSchema = z.object({ text: z.string() })

export const skillChangeSchema = z.object({ action: z.enum(SKILL_CHANGES), name: z.string().check(z.minLength(1)) })

/** Throws a TypeError, which is answered with 400. */
export const parse = <T extends z.ZodMiniType>(schema: T, input: unknown): z.output<T> => {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new TypeError(`The request is not valid: ${issue?.path.join('.') || 'body'} ${issue?.message ?? ''}`.trim())
}
