/** Which groups of skills the model has been asked about already, so that the same answer is not paid for twice. */
import { z } from 'zod'
import { fingerprint } from '../shared/fingerprint.ts'
import { ok, type Result } from '../shared/result.ts'
import { readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { MergeableSkill } from './consolidation-library.ts'
import { CONSOLIDATION_PROMPT_VERSION } from './consolidation-prompt.ts'

const CONSOLIDATION_STATE_PATH = 'skills/.consolidation.json'

/** More groups than any library has at once; the oldest go. */
const MAX_SETTLED = 500

/** So often an answer that cannot be read is asked for, unless the skills change. */
const MAX_FAILURES = 2

const schema = z.object({
  version: z.literal(1),
  settled: z.array(
    z.object({
      mark: z.string(),
      /** Epoch milliseconds. */
      at: z.number(),
      /** Answers that could not be read. 0: it was answered. */
      failures: z.number(),
    }),
  ),
})

type State = z.infer<typeof schema>

/** By mark; for `isSettled`. */
export type SettledGroups = ReadonlyMap<string, number>

/** Of a skill as it is: its name, place, text and the files beside it. */
export const markOfSkill = ({ path, name, files }: MergeableSkill, text: string): string =>
  fingerprint(JSON.stringify([path, name, text, files.map((file) => [file.path, file.size])]))

/** Of a group, whatever its order. Another wording of the question makes it another group. */
export const markOfGroup = (marks: readonly string[]): string =>
  fingerprint([String(CONSOLIDATION_PROMPT_VERSION), ...marks.toSorted()].join(' '))

export const readSettled = async (storage: StorageBackend): Promise<Result<SettledGroups>> => {
  const state = await readJsonDocument(storage, CONSOLIDATION_STATE_PATH, schema)
  return state.ok ? ok(new Map(state.value?.settled.map(({ mark, failures }) => [mark, failures] as const))) : state
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
    const before = current?.settled ?? []
    const failuresOf = (mark: string): number => before.find((each) => each.mark === mark)?.failures ?? 0
    const added = [...fresh].map((mark) => ({ mark, at, failures: answered ? 0 : failuresOf(mark) + 1 }))
    return { version: 1, settled: [...before.filter(({ mark }) => !fresh.has(mark)), ...added].slice(-MAX_SETTLED) }
  })
  return written.ok ? ok(undefined) : written
}
