/** Imports what agents remember by themselves, when a person asks for it: files that were written by hand as such, notes of a model as text from outside, item by item. */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createHermes, type Hermes, inMemoryBackend, type Result } from '@hermes/core'
import { asRecord, asText } from '@hermes/core/adapter'
import type { ImportReport } from '@hermes/core/portability'
import { projectOf } from '../project-of.ts'
import { readRows } from '../transcript/read-rows.ts'
import type { Remembered } from './host-setup.ts'

/** Maximum bytes of one file. */
const MAX_BYTES = 200_000
const DELIMITER = '\n§\n'

const LIST_ITEM = /^\s*(?:[-*+]|\d+[.)])\s+/
/** Of an index of other files, or a line that has another file read. */
const NAMES_A_FILE = /^(?:\[[^\]]*\]\([^)]*\.mdc?\)|@\S+$)/

/** A search for the end of a comment that has none would read the rest of the text for each. */
const withoutComments = (text: string): string => {
  const end = Math.max(0, text.lastIndexOf('-->') + 3)
  return text.slice(0, end).replaceAll(/<!--[\s\S]*?-->/g, '') + text.slice(end)
}

/** The list items and paragraphs of a text in Markdown, each in one line. Headings, code and comments are none. */
export const entriesIn = (markdown: string): readonly string[] => {
  const text = withoutComments(markdown.replaceAll('\r\n', '\n').replace(/^---\n[\s\S]*?\n---(?:\n|$)/, ''))
  const entries: string[] = []
  let isOpen = false
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const [marks] = /^(?:`{3,}|~{3,})/.exec(line) ?? []
    if (fence !== undefined || marks !== undefined) {
      fence = fence === undefined ? marks : line.startsWith(fence) ? undefined : fence
      isOpen = false
      continue
    }
    const said = line.replace(LIST_ITEM, '').trim()
    if (said === '' || said === '§' || NAMES_A_FILE.test(said) || /^(?:#{1,6}\s|[-=*_]{3,}$)/.test(said)) isOpen = false
    else if (isOpen && !LIST_ITEM.test(line)) entries.push(`${entries.pop()} ${said}`)
    else {
      entries.push(said)
      isOpen = true
    }
  }
  return entries
}

/** The folder in which the conversations beside these notes took place; undefined if none of them tells. What a tool has answered is deeper in a row. */
const workFolder = async (notes: string): Promise<string | undefined> => {
  const folder = dirname(dirname(notes))
  const transcripts = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.jsonl'))
  for (const name of transcripts.sort()) {
    const read = await readRows(join(folder, name)).catch(() => undefined)
    const workedIn = read?.rows.map((row) => asText(asRecord(row)['cwd'])).find((path) => path !== '')
    if (workedIn !== undefined) return workedIn
  }
  return undefined
}

/** Where an entry goes: the notes on a project of its own, or those of the person. Undefined for notes on a project whose folder is gone. */
const documentOf = async ({ path, isOfProject }: Remembered): Promise<string | undefined> => {
  if (!isOfProject) return 'memories/MEMORY.md'
  const project = projectOf(await workFolder(path))
  return project === undefined ? undefined : `projects/${project}/memories/MEMORY.md`
}

/** A home with these entries and nothing else, as an archive. */
const archiveOf = async (documents: ReadonlyMap<string, readonly string[]>): Promise<Result<Uint8Array>> => {
  const storage = inMemoryBackend()
  const put = Object.fromEntries(
    [...documents].map(([path, entries]) => [path, new TextEncoder().encode([...new Set(entries)].join(DELIMITER))]),
  )
  const written = await storage.update(Object.keys(put), () => ({ put, value: undefined }))
  return written.ok ? createHermes({ storage }).export() : written
}

export interface ImportedRemembered {
  /** Undefined if there are no such files. */
  readonly handWritten: ImportReport | undefined
  readonly notes: ImportReport | undefined
  /** Files that were left out, with the reason. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[]
}

/** Nothing is overwritten, and a second import changes nothing. Rejects if a file cannot be read. */
export const importRemembered = async (hermes: Hermes, files: readonly Remembered[]): Promise<Result<ImportedRemembered>> => {
  const found = { hand: new Map<string, readonly string[]>(), model: new Map<string, readonly string[]>() }
  const skipped: { readonly path: string; readonly reason: string }[] = []
  for (const file of files) {
    const document = await documentOf(file)
    if (document === undefined) skipped.push({ path: file.path, reason: 'No repository is known that these notes are about.' })
    else if (file.bytes > MAX_BYTES) skipped.push({ path: file.path, reason: `It is larger than ${MAX_BYTES / 1_000} kB.` })
    else
      found[file.writtenBy].set(document, [...(found[file.writtenBy].get(document) ?? []), ...entriesIn(await readFile(file.path, 'utf8'))])
  }
  const reports: { hand?: ImportReport; model?: ImportReport } = {}
  for (const writtenBy of ['hand', 'model'] as const) {
    if (found[writtenBy].size === 0) continue
    const archive = await archiveOf(found[writtenBy])
    const imported = archive.ok ? await hermes.import(archive.value, { trusted: writtenBy === 'hand' }) : archive
    if (!imported.ok) return imported
    reports[writtenBy] = imported.value
  }
  return { ok: true, value: { handWritten: reports.hand, notes: reports.model, skipped } }
}
