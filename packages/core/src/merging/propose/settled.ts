/** Remembers which groups of skills were sent to the model, so that the same question is not paid for twice. */
import * as z from 'zod/mini'
import { fingerprint } from '../../shared/fingerprint.ts'
import { ok, type Result } from '../../shared/result.ts'
import { libraryDocument, readJsonDocument, updateJsonDocument } from '../../storage/json-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { CURATOR_FOLDER } from '../../storage/storage-paths.ts'
import type { MergeableSkill } from '../library.ts'
import { CONSOLIDATION_PROMPT_VERSION } from './prompt.ts'

const CONSOLIDATION_STATE_PATH = `${CURATOR_FOLDER}/consolidation.json`

/** When exceeded, the oldest are dropped. */
const MAX_SETTLED = 500

/** Failed questions about a group in a row before it is skipped, unless its skills change. */
const MAX_FAILURES = 2

/** Milliseconds after which a group that failed is tried again: the model or the gate may have changed. */
const FAILURES_LAPSE_MS = 30 * 24 * 60 * 60 * 1000

const shape = z.object({
  version: z.literal(1),
  settled: z.array(
    z.object({
      mark: z.string(),
      /** Epoch milliseconds. */
      at: z.number(),
      /** Answers that were missing, unreadable or refused. 0: answered. */
      failures: z.number(),
    }),
  ),
})

const schema = libraryDocument(shape)

type State = z.infer<typeof shape>

/** Keyed by mark; for `isSettled`. */
export type SettledGroups = ReadonlyMap<string, number>

/** Hash of a skill's name, place, text and files. */
export const markOfSkill = ({ path, name, files }: MergeableSkill, text: string): string =>
  fingerprint(JSON.stringify([path, name, text, files.map((file) => [file.path, file.size])]))

/** Hash of a group, independent of its order; includes the version of the prompt. */
export const markOfGroup = (marks: readonly string[]): string =>
  fingerprint([String(CONSOLIDATION_PROMPT_VERSION), ...marks.toSorted()].join(' '))

const counts = ({ failures, at }: State['settled'][number], now: number): boolean => failures === 0 || now - at < FAILURES_LAPSE_MS

/** `now` in epoch milliseconds. */
export const readSettled = async (storage: StorageBackend, now: number): Promise<Result<SettledGroups>> => {
  const state = await readJsonDocument(storage, CONSOLIDATION_STATE_PATH, schema)
  if (!state.ok) return state
  const settled = state.value?.settled.filter((each) => counts(each, now)) ?? []
  return ok(new Map(settled.map(({ mark, failures }) => [mark, failures] as const)))
}

export const isSettled = (settled: SettledGroups, mark: string): boolean => {
  const failures = settled.get(mark)
  return failures === 0 || (failures !== undefined && failures >= MAX_FAILURES)
}

/** Records an answer, or one more failure. */
export const settleGroups = async (
  storage: StorageBackend,
  marks: readonly string[],
  answered: boolean,
  at: number,
): Promise<Result<void>> => {
  const fresh = new Set(marks)
  const written = await updateJsonDocument(storage, CONSOLIDATION_STATE_PATH, schema, (current): State => {
    const before = current?.settled.filter((each) => counts(each, at)) ?? []
    const failuresOf = (mark: string): number => before.find((each) => each.mark === mark)?.failures ?? 0
    const added = [...fresh].map((mark) => ({ mark, at, failures: answered ? 0 : failuresOf(mark) + 1 }))
    return { version: 1, settled: [...before.filter(({ mark }) => !fresh.has(mark)), ...added].slice(-MAX_SETTLED) }
  })
  return written.ok ? ok(undefined) : written
}
