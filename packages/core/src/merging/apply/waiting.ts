/**
 * Merges that wait for a person's approval. The queue holds only the umbrella's text; this document holds the whole plan, so that the
 * skills can be archived once the text is in the library.
 */

import * as z from 'zod/mini'
import { WAITING_MERGES_PATH } from '../../curator/merge-intent.ts'
import { CONSOLIDATION_METHODS } from '../../curator/report/consolidation-report.ts'
import { ok, type Result } from '../../shared/result.ts'
import { libraryDocument, readJsonDocument, updateJsonDocument } from '../../storage/json-document.ts'
import { UNCHANGED } from '../../storage/one-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import type { PlannedUmbrella } from '../plan/rules.ts'
import { markOfSkill } from '../propose/settled.ts'

/** When exceeded, the oldest are dropped; their skills are not changed. */
const MAX_WAITING = 50

const shape = z.object({
  version: z.literal(1),
  waiting: z.array(
    z.object({
      /** Epoch milliseconds. */
      at: z.number(),
      name: z.string(),
      category: z.optional(z.string()),
      /** The umbrella's text when the merge was proposed; null for a new one. */
      before: z.nullable(z.string()),
      /** The whole SKILL.md by the model. */
      content: z.optional(z.string()),
      files: z.array(z.object({ path: z.string(), content: z.string() })),
      score: z.number(),
      /** The source skills as of then: `mark` is a `markOfSkill`. */
      sources: z.array(z.object({ name: z.string(), mark: z.string(), method: z.enum(CONSOLIDATION_METHODS), reason: z.string() })),
    }),
  ),
})

const schema = libraryDocument(shape)

export type WaitingMerge = z.infer<typeof shape>['waiting'][number]

/** Oldest first. */
export const readWaiting = async (storage: StorageBackend): Promise<Result<readonly WaitingMerge[]>> => {
  const document = await readJsonDocument(storage, WAITING_MERGES_PATH, schema)
  return document.ok ? ok(document.value?.waiting ?? []) : document
}

const toWaiting = (
  { name, category, content, files, score, sources }: PlannedUmbrella,
  before: string | undefined,
  at: number,
): WaitingMerge => ({
  at,
  name,
  ...(category === undefined ? {} : { category }),
  before: before ?? null,
  ...(content === undefined ? {} : { content }),
  files: files.map(({ path, content: text }) => ({ path, content: text })),
  score,
  sources: sources.map(({ skill, method, reason }) => ({ name: skill.name, mark: markOfSkill(skill, skill.text), method, reason })),
})

/** Replaces an earlier plan for the same umbrella. `before`: the umbrella's present text. */
export const keepWaiting = async (
  storage: StorageBackend,
  plan: PlannedUmbrella,
  before: string | undefined,
  at: number,
): Promise<Result<void>> => {
  const fresh = toWaiting(plan, before, at)
  const written = await updateJsonDocument(storage, WAITING_MERGES_PATH, schema, (current) => {
    const others = (current?.waiting ?? []).filter(({ name }) => name !== fresh.name)
    return { version: 1 as const, waiting: [...others, fresh].slice(-MAX_WAITING) }
  })
  return written.ok ? ok(undefined) : written
}

/** Removes finished merges. */
export const dropWaiting = async (storage: StorageBackend, ended: readonly WaitingMerge[]): Promise<Result<void>> => {
  const isEnded = ({ name, at }: WaitingMerge): boolean => ended.some((each) => each.name === name && each.at === at)
  const written = await updateJsonDocument(storage, WAITING_MERGES_PATH, schema, (current) => {
    if (!current?.waiting.some(isEnded)) return UNCHANGED
    const waiting = current.waiting.filter((each) => !isEnded(each))
    return waiting.length === 0 ? undefined : { version: 1 as const, waiting }
  })
  return written.ok ? ok(undefined) : written
}
