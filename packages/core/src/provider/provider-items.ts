/** What waits for delivery to a provider: the stored document, and the texts and size of an item. Pure. */
import * as z from 'zod/mini'
import { type LimitedSchema, libraryDocument } from '../storage/json-document.ts'

const removedSchema = /* @__PURE__ */ z.lazy(() =>
  z.readonly(z.array(z.readonly(z.object({ text: z.string(), archivedId: z.exactOptional(z.string()) })))),
)

const itemSchema = /* @__PURE__ */ z.lazy(() => {
  /** `id`: the same whenever the item is delivered again. `by`: the process that delivers it. */
  const item = { id: z.string(), by: z.string(), at: z.number() }
  return z.readonly(
    z.discriminatedUnion('kind', [
      z.object({
        ...item,
        kind: z.literal('turn'),
        sessionId: z.string(),
        user: z.string(),
        assistant: z.string(),
        automated: z.boolean(),
      }),
      z.object({
        ...item,
        kind: z.literal('write'),
        target: z.enum(['memory', 'user']),
        sessionId: z.exactOptional(z.string()),
        added: z.readonly(z.array(z.string())),
        removed: removedSchema,
        evicted: removedSchema,
      }),
      z.object({
        ...item,
        kind: z.literal('switch'),
        from: z.string(),
        to: z.string(),
        reason: z.enum(['compress', 'branch', 'new']),
      }),
      z.object({ ...item, kind: z.literal('end'), sessionId: z.string() }),
    ]),
  )
})

const outboxSchema = /* @__PURE__ */ z.lazy(() =>
  z.readonly(
    z.object({
      version: z.literal(1),
      /** By process: until when it counts as alive, in epoch milliseconds. */
      processes: z.readonly(z.record(z.string(), z.number())),
      /** In the order of delivery. */
      items: z.readonly(z.array(itemSchema)),
    }),
  ),
)

export const outboxDocument = (): LimitedSchema<OutboxDocument> => libraryDocument(outboxSchema)

export type WaitingItem = z.infer<typeof itemSchema>
export type OutboxDocument = z.infer<typeof outboxSchema>

export const PROVIDER_FOLDER = 'provider'

export const outboxPath = (name: string): string => `${PROVIDER_FOLDER}/${name}.json`

export const EMPTY_OUTBOX: OutboxDocument = { version: 1, processes: {}, items: [] }

/** The texts of an item that a person may want to erase. */
export const textsOf = (item: WaitingItem): readonly string[] => {
  if (item.kind === 'turn') return [item.user, item.assistant]
  if (item.kind === 'write') return [...item.added, ...item.removed.map(({ text }) => text), ...item.evicted.map(({ text }) => text)]
  return []
}

export const belongsTo = (item: WaitingItem, sessionId: string): boolean =>
  item.kind === 'switch' ? item.from === sessionId || item.to === sessionId : item.sessionId === sessionId

const sizes = new WeakMap<WaitingItem, number>()

/** Bytes of an item in the document, without indentation. */
export const sizeOf = (item: WaitingItem): number => {
  const known = sizes.get(item) ?? new TextEncoder().encode(JSON.stringify(item)).length
  sizes.set(item, known)
  return known
}
