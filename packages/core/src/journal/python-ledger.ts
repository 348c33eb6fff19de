/**
 * What newer Python Hermes records of each change to a skill, whoever made it: `skills/.curator_ledger.jsonl`, a line each, read here as records of the journal. The files of
 * then are blobs, named by their SHA-256. All of it is Python's: it is read, and changed by nothing but erasing and importing (reference skills-curator 18).
 */
import * as z from 'zod/mini'
import { pythonTime } from '../memory/python-archive.ts'
import { DOCUMENT_LIMITS, parseBoundedJson } from '../shared/bounded-json.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { type JsonLine, jsonLines } from '../shared/json-lines.ts'
import { pause } from '../shared/pause.ts'
import { ok, type Result } from '../shared/result.ts'
import { sha256Of } from '../shared/sha256.ts'
import { decodeSkillText } from '../skills/read-skill.ts'
import { MAX_SUPPORT_FILE_BYTES } from '../skills/support-file.ts'
import type { DocumentInfo, StorageBackend } from '../storage/storage-backend.ts'
import { PYTHON_BLOBS_FOLDER, PYTHON_LEDGER_PATH } from '../storage/storage-paths.ts'
import { findRecords, type JournalFilter, toLineFilter } from './find-records.ts'
import type { JournalRecord, PythonChange } from './journal-record.ts'
import type { PythonBlobs } from './plan-python-undo.ts'

/** Python keeps it below 5 MiB unless it is told otherwise. */
const MOST_BYTES = 33_554_432

/** The last that Python can write: of the year 9999. */
const LAST_TIME = 253_402_300_799_999

const text = (maximum: number) => z.string().check(z.minLength(1), z.maxLength(maximum))

const filesSchema = /* @__PURE__ */ z.lazy(() =>
  z.nullish(z.array(z.looseObject({ path: text(4_096), sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }))),
)

const lineSchema = /* @__PURE__ */ z.lazy(() =>
  z.looseObject({
    // One that a person can type, written as it is.
    id: z.string().check(z.regex(/^[\w.:-]{1,200}$/)),
    ts: z.union([z.string(), z.number()]),
    actor: z.optional(z.unknown()),
    action: text(64),
    skill: text(1_024),
    evidence: z.optional(z.unknown()),
    before: filesSchema,
    after: filesSchema,
  }),
)

const ACTORS: ReadonlyMap<unknown, JournalRecord['actor']> = new Map([
  ['user', 'person'],
  ['curator', 'curator'],
])

type Changed = { -readonly [key in keyof PythonChange['files'][number]]: PythonChange['files'][number][key] }

/** The paths in the ledger are absolute ones of the machine that wrote it. Undefined outside the folder of the skill. */
const placeOf = (absolute: string, skill: string): Changed | undefined => {
  const folders = absolute.split(/[\\/]/)
  const name = skill.split('/').at(-1) ?? skill
  // In the archive, a name that was taken gets the time behind it.
  const isOwn = (folder: string, at: number): boolean =>
    folder === name || (folders[at - 1] === '.archive' && folder.replace(/-\d{14}$/, '') === name)
  // The home, too, may be in folders of these names.
  const root = folders.slice(0, Math.max(0, folders.findLastIndex(isOwn))).lastIndexOf('skills')
  const own = root < 0 ? -1 : folders.findIndex((folder, at) => at > root && isOwn(folder, at))
  const inside = folders.slice(own + 1)
  if (own < 0 || inside.length === 0 || inside.some((folder) => /^\.{0,2}$/.test(folder))) return undefined
  if (folders[own - 1] === '.archive') return { path: inside.join('/'), archived: folders[own] }
  const category = folders.slice(root + 1, own).join('/')
  return { path: inside.join('/'), ...(category === '' ? {} : { category }) }
}

type Files = z.infer<typeof filesSchema>

const changeOf = (action: string, skill: string, before: Files, after: Files): PythonChange => {
  const files = new Map<string, Changed>()
  let elsewhere = 0
  for (const [side, list] of [['before', before ?? []] as const, ['after', after ?? []] as const])
    for (const { path, sha256 } of list) {
      const place = placeOf(path, skill)
      if (!place) elsewhere++
      else {
        const key = `${place.archived ?? ''}/${place.path}`
        const file = files.get(key) ?? place
        file[side] = sha256
        files.set(key, file)
      }
    }
  return { action, skill, files: [...files.values()].filter((file) => file.before !== file.after), elsewhere }
}

const MOST_NAMED = 3

/** `Python Hermes: patch of the skill deploy (SKILL.md), now in release`. */
const describe = ({ action, skill, files }: PythonChange, evidence: unknown): string => {
  const names = [...new Set(files.map(({ path }) => path))]
  const more = names.length > MOST_NAMED ? [`${names.length - MOST_NAMED} more`] : []
  const named = names.length === 0 ? '' : ` (${[...names.slice(0, MOST_NAMED), ...more].join(', ')})`
  const into: unknown = Object(evidence).absorbed_into
  return `Python Hermes: ${action} of the skill ${skill}${named}${typeof into === 'string' && into !== '' ? `, now in ${into.slice(0, 200)}` : ''}`
}

const encoder = new TextEncoder()

/** Undefined for a line that is not a record of the ledger. */
const parsePythonLine = (line: string): JournalRecord | undefined => {
  const data = parseBoundedJson(encoder.encode(line), DOCUMENT_LIMITS)
  const parsed = lineSchema.safeParse(data.ok ? data.value : undefined)
  const at = parsed.success ? pythonTime(parsed.data.ts) : 0
  if (!parsed.success || at <= 0 || at > LAST_TIME) return undefined
  const { id, actor, action, skill, evidence, before, after } = parsed.data
  const python = changeOf(action, skill, before, after)
  return { id, at, actor: ACTORS.get(actor) ?? 'agent', kind: 'applied', reason: describe(python, evidence), target: 'skill', python }
}

export interface PythonLine extends JsonLine {
  /** Undefined for a line that is not a record. */
  readonly record: JournalRecord | undefined
}

const CHARS_BETWEEN_PAUSES = 65_536

/** The lines that are not blank, in the order of the file. Other work runs in between. */
export async function* pythonLines(bytes: Uint8Array): AsyncGenerator<PythonLine, void> {
  let sincePause = 0
  for (const line of jsonLines(new TextDecoder().decode(bytes), 'id')) {
    yield { ...line, record: parsePythonLine(line.text) }
    sincePause += line.text.length
    if (sincePause < CHARS_BETWEEN_PAUSES) continue
    sincePause = 0
    await pause()
  }
}

/** The records that a filter asks for, in the order of the file, as far as they are in its newest 32 MiB. `onProblem` is called for each line that is not a record. */
export const readPythonLedger = async (
  storage: StorageBackend,
  { kind, ...filter }: JournalFilter,
  onProblem: (problem: HermesError) => void = () => {},
): Promise<Result<readonly JournalRecord[]>> => {
  const { sessionId, review, withCost } = filter
  if ((kind !== undefined && kind !== 'applied') || sessionId !== undefined || review !== undefined || withCost) return ok([])
  const { matches } = toLineFilter(filter)
  // Python may write other letters than those of ASCII as escapes.
  const { mayMatch } = toLineFilter(filter.id === undefined ? {} : { id: filter.id })
  const scan = { matches, mayMatch, parse: parsePythonLine, mostBytes: MOST_BYTES, limit: Number.POSITIVE_INFINITY, onProblem }
  const found = await findRecords(storage, [{ day: '', path: PYTHON_LEDGER_PATH, size: 0 }], scan)
  return found.ok ? ok(found.value.toReversed()) : found
}

const blobPath = (sha256: string): string => `${PYTHON_BLOBS_FOLDER}/${sha256}`

export const isPythonBlob = (path: string): boolean =>
  path.startsWith(`${PYTHON_BLOBS_FOLDER}/`) && /^[0-9a-f]{64}$/.test(path.slice(PYTHON_BLOBS_FOLDER.length + 1))

/** Whether a blob holds what its name says. */
export const isSoundBlob = async (path: string, bytes: Uint8Array): Promise<boolean> => path === blobPath(await sha256Of(bytes))

const hashesOf = (records: readonly JournalRecord[]): readonly string[] => [
  ...new Set(records.flatMap(({ python }) => python?.files ?? []).flatMap(({ before, after }) => [before ?? [], after ?? []].flat())),
]

export const blobPathsOf = (records: readonly JournalRecord[]): readonly string[] => hashesOf(records).map(blobPath)

/** What is stored of the blobs, by path, with the sizes. */
export const listPythonBlobs = async (storage: StorageBackend): Promise<Result<ReadonlyMap<string, DocumentInfo>>> => {
  const listed = await storage.list(PYTHON_BLOBS_FOLDER)
  return listed.ok ? ok(new Map(listed.value.map((info) => [info.path, info]))) : listed
}

/** The contents of then by their hashes, as far as they are kept, unharmed and text that a skill may hold. */
export const readPythonBlobs = async (storage: StorageBackend, records: readonly JournalRecord[]): Promise<Result<PythonBlobs>> => {
  const found = new Map<string, string>()
  const named = hashesOf(records)
  if (named.length === 0) return ok(found)
  const listed = await listPythonBlobs(storage)
  if (!listed.ok) return listed
  const hashes = named.filter((hash) => {
    const info = listed.value.get(blobPath(hash))
    return info && !info.unreadable && info.size <= MAX_SUPPORT_FILE_BYTES
  })
  if (hashes.length === 0) return ok(found)
  const cut = await storage.read(hashes.map(blobPath))
  if (!cut.ok) return cut
  for (const hash of hashes) {
    const path = blobPath(hash)
    const bytes = cut.value.document(path)?.bytes
    const text = bytes && (await isSoundBlob(path, bytes)) ? decodeSkillText(bytes) : undefined
    if (text !== undefined) found.set(hash, text)
  }
  return ok(found)
}
