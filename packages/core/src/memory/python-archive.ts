/**
 * Entries that newer Python Hermes took out of memory: `memories/ARCHIVE.jsonl`, a line each. It is Python's file: nothing but erasing changes it. Its keys are read in each form
 * that is known: `entry`; `store` or `target`; `ts` or `evicted_at`, in ISO 8601 or seconds; perhaps `action` and `reason`.
 */
import * as z from 'zod/mini'
import type { HermesError } from '../shared/hermes-error.ts'
import { jsonLines } from '../shared/json-lines.ts'
import { parseJson } from '../shared/json-texts.ts'
import { pause } from '../shared/pause.ts'
import { PYTHON_ARCHIVE_PATH } from '../storage/storage-paths.ts'
import { NO_RECORDS } from './facts.ts'
import { type ArchivedEntry, damagedLine, decodeArchive, SLICE_CHARS, toArchived } from './memory-archive.ts'

const store = /* @__PURE__ */ z.optional(/* @__PURE__ */ z.enum(['memory', 'user']))
const time = /* @__PURE__ */ z.optional(/* @__PURE__ */ z.union([z.string(), z.number()]))
const text = /* @__PURE__ */ z.optional(z.string())

const lineSchema = /* @__PURE__ */ z.lazy(() =>
  z.looseObject({ entry: z.string().check(z.minLength(1)), store, target: store, ts: time, evicted_at: time, action: text, reason: text }),
)

/** Epoch milliseconds; 0 for what is no time. */
export const pythonTime = (value: string | number | undefined): number => {
  const at = typeof value === 'number' ? value * 1_000 : Date.parse(value ?? '')
  return at >= 0 && at <= 8.64e15 ? Math.trunc(at) : 0
}

/** `undefined` for a line that is no archived entry. Nothing tells whose words it was, so it is from outside. */
const parseLine = (line: string): ArchivedEntry | undefined => {
  const parsed = lineSchema.safeParse(parseJson(line))
  if (!parsed.success) return undefined
  const { entry, store: named, target = named ?? 'memory', ts, evicted_at: evictedAt, action, reason } = parsed.data
  const source = { origin: 'tool', reason: reason ?? `Python Hermes: ${action ?? 'evicted'}` } as const
  const [archived] = toArchived({ target, lost: [{ text: entry }], records: NO_RECORDS, source, forgottenAt: pythonTime(ts ?? evictedAt) })
  return archived && { ...archived, origin: 'tool' }
}

/** By id; the last line of a text counts. Without entries that hold a secret. `onProblem` is called for each damaged line. */
export const readPythonArchive = async (
  bytes: Uint8Array | undefined,
  onProblem: (problem: HermesError) => void = () => {},
): Promise<ReadonlyMap<string, ArchivedEntry>> => {
  const found = new Map<string, ArchivedEntry>()
  let sincePause = 0
  for (const { text: line, number } of jsonLines(decodeArchive(bytes), 'id')) {
    const entry = parseLine(line)
    if (entry && !entry.redacted) found.set(entry.id, entry)
    else if (!entry) onProblem(damagedLine(PYTHON_ARCHIVE_PATH, number))
    sincePause += line.length
    if (sincePause < SLICE_CHARS) continue
    sincePause = 0
    await pause()
  }
  return found
}
