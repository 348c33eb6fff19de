/** The ledger of Python Hermes and the files that it names, in an export and out of one. Its lines are taken over as they are; a file has the name of its SHA-256. */

import type { JournalRecord } from '../journal/journal-record.ts'
import { blobPathsOf, isPythonBlob, isSoundBlob, listPythonBlobs, pythonLines } from '../journal/python-ledger.ts'
import { documentIn } from '../memory/memory-document.ts'
import { parseJson, textsIn } from '../shared/json-texts.ts'
import { ok, type Result } from '../shared/result.ts'
import { decodeSkillText } from '../skills/read-skill.ts'
import { readDocument } from '../storage/one-document.ts'
import type { DocumentContent, DocumentInfo, StorageBackend } from '../storage/storage-backend.ts'
import { PYTHON_BLOBS_FOLDER, PYTHON_LEDGER_PATH } from '../storage/storage-paths.ts'
import { LARGEST_EXPORT_BYTES, LARGEST_EXPORT_FILE_BYTES, MOST_EXPORT_FILES } from './export-manifest.ts'
import { type Import, invalidImport, must } from './import-context.ts'

const AT_ONCE = 32

const NOTHING = new Uint8Array()

/** Those of the newest changes first. */
const namedBlobs = async (ledger: DocumentContent | undefined): Promise<readonly string[]> => {
  const records: JournalRecord[] = []
  for await (const { record } of pythonLines(ledger?.bytes ?? NOTHING)) if (record) records.push(record)
  return blobPathsOf(records.reverse())
}

/** Those that are kept and fit. */
const chooseBlobs = (
  named: readonly string[],
  listed: ReadonlyMap<string, DocumentInfo>,
  found: ReadonlyMap<string, DocumentContent>,
  leftOut: Map<string, string>,
): readonly string[] => {
  const chosen: string[] = []
  let room = LARGEST_EXPORT_BYTES - [...found.values()].reduce((sum, { bytes }) => sum + bytes.length, 0)
  for (const path of named) {
    const info = listed.get(path)
    if (!info) continue
    if (info.unreadable) leftOut.set(path, 'unreadable')
    else if (info.size > LARGEST_EXPORT_FILE_BYTES) leftOut.set(path, 'file too large')
    else if (info.size > room || found.size + chosen.length >= MOST_EXPORT_FILES) leftOut.set(path, 'export full')
    else {
      chosen.push(path)
      room -= info.size
    }
  }
  return chosen
}

/** As many as fit. They never change, so they need no cut with the ledger. One that is gone was erased, or Python needs it no more. */
export const addPythonBlobs = async (
  storage: StorageBackend,
  found: Map<string, DocumentContent>,
  leftOut: Map<string, string>,
): Promise<Result<void>> => {
  const named = await namedBlobs(found.get(PYTHON_LEDGER_PATH))
  const listed = named.length === 0 ? ok(new Map<string, DocumentInfo>()) : await listPythonBlobs(storage)
  if (!listed.ok) {
    if (listed.error.code !== 'invalid_path') return listed
    leftOut.set(PYTHON_BLOBS_FOLDER, 'link out of the home')
    return ok(undefined)
  }
  const chosen = chooseBlobs(named, listed.value, found, leftOut)
  for (let start = 0; start < chosen.length; start += AT_ONCE) {
    const batch = chosen.slice(start, start + AT_ONCE)
    const cut = await storage.read(batch)
    if (!cut.ok) return cut
    for (const path of batch) {
      const document = documentIn(cut.value, path)
      const bytes = document.ok ? document.value?.bytes : undefined
      if (!document.ok) leftOut.set(path, 'unreadable')
      else if (bytes && !(await isSoundBlob(path, bytes))) leftOut.set(path, 'not what its name says')
      else if (bytes) found.set(path, { bytes })
    }
  }
  return ok(undefined)
}

const HASH = /^[0-9a-f]{64}$/

/** A hash could pass for a key. */
const wordsOf = (line: string): string =>
  textsIn(parseJson(line))
    .filter((text) => !HASH.test(text))
    .join('\n')

const refuseWords = async (running: Import, words: string): Promise<void> => {
  await running.refuseCredential(words)
  await running.refuseThreat(words, 'context')
}

/** The lines that this home does not have, by the ids of their records; no line takes the id of a record of the journal, by which that is undone. */
const newLines = async (running: Import, bytes: Uint8Array) => {
  const { contents, tally } = running
  const known = new Set(running.known.ids)
  for await (const { record } of pythonLines(bytes)) if (record) known.add(record.id)
  const lines: string[] = []
  const records: JournalRecord[] = []
  for await (const { number, text, record } of pythonLines(contents.get(PYTHON_LEDGER_PATH)?.bytes ?? NOTHING))
    await running.item('journal', `line ${number} of ${PYTHON_LEDGER_PATH}`, async () => {
      if (!record) throw invalidImport('It is not a record of the ledger of Python Hermes.')
      if (known.has(record.id)) return tally.alreadyThere('journal')
      await refuseWords(running, wordsOf(text))
      known.add(record.id)
      lines.push(text)
      records.push(record)
    })
  return { lines, wanted: new Set(blobPathsOf(records)) }
}

const newBlobs = async (running: Import, wanted: ReadonlySet<string>): Promise<Record<string, DocumentContent>> => {
  const found: Record<string, DocumentContent> = {}
  for (const [path, { bytes }] of running.contents) {
    if (!isPythonBlob(path)) continue
    await running.item('journal', path, async () => {
      if (!(await isSoundBlob(path, bytes))) throw invalidImport('It does not hold what its name says.')
      if (must(await readDocument(running.over, path))) return
      if (!wanted.has(path)) throw invalidImport('No line of the ledger that was imported names it.')
      const text = decodeSkillText(bytes)
      if (text !== undefined) await refuseWords(running, text)
      found[path] = { bytes }
    })
  }
  return found
}

const LINE_FEED = 0x0a

/** What the ledger of this home holds stays as it is, and the new lines come behind it. */
export const importPythonLedger = async (running: Import): Promise<void> => {
  const { over, contents, tally } = running
  if (![...contents.keys()].some((path) => path === PYTHON_LEDGER_PATH || isPythonBlob(path))) return
  await running.item('journal', PYTHON_LEDGER_PATH, async () => {
    const current = must(await readDocument(over, PYTHON_LEDGER_PATH))?.bytes ?? NOTHING
    const { lines, wanted } = await newLines(running, current)
    const put = await newBlobs(running, wanted)
    if (lines.length === 0) return
    const begin = current.length > 0 && current.at(-1) !== LINE_FEED ? '\n' : ''
    const added = new TextEncoder().encode(`${begin}${lines.join('\n')}\n`)
    must(
      await over.update([PYTHON_LEDGER_PATH, ...Object.keys(put)], () => ({
        put,
        append: { [PYTHON_LEDGER_PATH]: added },
        value: undefined,
      })),
    )
    tally.added('journal', lines.length)
  })
}
