/**
 * Merges that wait for a person's yes. The queue holds the umbrella's text alone; here is the plan it came from, so that the skills can be archived once that text
 * is in the library. Nothing of it has been done.
 */
import { z } from 'zod'
import { WAITING_MERGES_PATH } from '../../curator/merge-intent.ts'
import { CONSOLIDATION_METHODS } from '../../curator/report/consolidation-report.ts'
import { ok, type Result } from '../../shared/result.ts'
import { libraryDocument, readJsonDocument, updateJsonDocument } from '../../storage/json-document.ts'
import { type StorageBackend, UNCHANGED } from '../../storage/storage-backend.ts'
import type { PlannedUmbrella } from '../plan/rules.ts'
import { markOfSkill } from '../propose/settled.ts'

/** More than a person has open at once; the oldest go, and their skills stay as they are. */
const MAX_WAITING = 50

const shape = z.object({
  version: z.literal(1),
  waiting: z.array(
    z.object({
      /** Epoch milliseconds. */
      at: z.number(),
      name: z.string(),
      category: z.string().optional(),
      /** What the umbrella said when it was proposed; null for a new one. */
      before: z.string().nullable(),
      /** The whole SKILL.md as the model wrote it. */
      content: z.string().optional(),
      files: z.array(z.object({ path: z.string(), content: z.string() })),
      score: z.number(),
      /** The skills that go into it, as they were then: `mark` is `markOfSkill`. */
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

/** In place of an earlier one into the same umbrella. `before`: what the umbrella says now. */
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

/** Removes merges that have come to their end. */
export const dropWaiting = async (storage: StorageBackend, ended: readonly WaitingMerge[]): Promise<Result<void>> => {
  const isEnded = ({ name, at }: WaitingMerge): boolean => ended.some((each) => each.name === name && each.at === at)
  const written = await updateJsonDocument(storage, WAITING_MERGES_PATH, schema, (current) => {
    if (!current?.waiting.some(isEnded)) return UNCHANGED
    const waiting = current.waiting.filter((each) => !isEnded(each))
    return waiting.length === 0 ? undefined : { version: 1 as const, waiting }
  })
  return written.ok ? ok(undefined) : written
}
