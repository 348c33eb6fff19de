/** A home with a typed profile, and a reviewer that proposes what the test says. */
import * as z from 'zod'
import type { HermesEvent, HostModel, HostModelRequest } from '../../src/index.ts'
import { createHermes, inMemoryBackend } from '../../src/index.ts'
import type { Result } from '../../src/shared/result.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'

export const PERSON = z.object({
  name: z.string(),
  diet: z.enum(['vegan', 'vegetarian', 'none']).optional(),
  city: z.string().describe('Where they live').optional(),
  children: z.number().int().min(0).optional(),
  smokes: z.boolean().optional(),
  languages: z.array(z.string()).optional(),
})

export interface ProposedField {
  readonly content?: string | null
  readonly oldText?: string | null
  readonly action?: string
  readonly quote?: string
  readonly score?: number
}

export const toAnswer = (fields: readonly ProposedField[]): string =>
  JSON.stringify({
    proposals: fields.map(({ content = null, oldText = null, action = 'replace', quote, score = 0.9 }) => ({
      target: 'profile',
      op: { action, content, oldText },
      rationale: 'said',
      score,
      evidence: quote === undefined ? [] : [{ messageId: null, quote }],
    })),
  })

export const unwrap = <T>(result: Result<T>): T => {
  if (!result.ok) throw result.error
  return result.value
}

export const openProfile = ({
  storage = inMemoryBackend(),
  ...more
}: { readonly storage?: StorageBackend } & Partial<Parameters<typeof createHermes>[0]> = {}) => {
  const requests: HostModelRequest[] = []
  const events: HermesEvent[] = []
  let answers: string[] = []
  const model: HostModel = async (request) => {
    requests.push(request)
    return answers.shift() ?? '{"proposals":[]}'
  }
  let now = Date.UTC(2026, 4, 1)
  const hermes = createHermes({
    profile: PERSON,
    ...more,
    storage,
    review: { model },
    clock: () => ++now,
    onEvent: (event) => events.push(event),
  })
  /** One turn, and the review of it: each text of `outside` is what a tool said before the user speaks. */
  const review = async (said: string, ...proposed: readonly (readonly ProposedField[])[]) => {
    answers = proposed.map(toAnswer)
    const run = await hermes.learn.batch({
      learnId: `learn-${++now}`,
      turns: [{ sessionId: 'chat', messages: [{ role: 'user', text: said }] }],
      read: new Map([[now.toString(16).padStart(16, '0'), 1]]),
    })
    const done = unwrap(run)
    if (done.kind !== 'reviewed') throw new Error(`The review was ${done.kind}.`)
    return done.outcome
  }
  const values = async () => unwrap(await hermes.profile.read())
  return { hermes, storage, requests, events, review, values, answer: (...texts: string[]) => (answers = texts) }
}
