/** Which groups of skills the model has been asked about already, so that the same answer is not paid for twice. */
import * as z from 'zod'
import { fingerprint } from '../../shared/fingerprint.ts'
import { ok, type Result } from '../../shared/result.ts'
import { libraryDocument, readJsonDocument, updateJsonDocument } from '../../storage/json-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { CURATOR_FOLDER } from '../../storage/storage-paths.ts'
import type { MergeableSkill } from '../library.ts'
import { CONSOLIDATION_PROMPT_VERSION } from './prompt.ts'

const CONSOLIDATION_STATE_PATH = `${CURATOR_FOLDER}/consolidation.json`

/** More groups than any library has at once; the oldest go. */
const MAX_SETTLED = 500

/** So often a group is asked about in vain, one time after the other, unless its skills change. */
const MAX_FAILURES = 2

/** After so long it is tried again: another model may answer, or another gate decide. */
const FAILURES_LAPSE_MS = 30 * 24 * 60 * 60 * 1000

const shape = z.object({
  version: z.literal(1),
  settled: z.array(
    z.object({
      mark: z.string(),
      /** Epoch milliseconds. */
      at: z.number(),
      /** Answers that never came, could not be read or were refused. 0: it was answered. */
      failures: z.number(),
    }),
  ),
})

const schema = libraryDocument(shape)

type State = z.infer<typeof shape>

/** By mark; for `isSettled`. */
export type SettledGroups = ReadonlyMap<string, number>

/** Of a skill as it is: its name, place, text and the files beside it. */
export const markOfSkill = ({ path, name, files }: MergeableSkill, text: string): string =>
  fingerprint(JSON.stringify([path, name, text, files.map((file) => [file.path, file.size])]))

/** Of a group, whatever its order. Another wording of the question makes it another group. */
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

/** Answered, or one failure more. */
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
