/** Documents as turns: each part is text from outside, never anybody's words. */
import { setImmediate as pause } from 'node:timers/promises'
import { redactCredentials } from '@hermes/core/provider'
import { messageOf } from '../answer.ts'
import { formatCount } from '../terminal/format.ts'
import { type FoundFile, unchanged } from './find-files.ts'
import { openFile } from './json-elements.ts'
import { type FoundSources, type LearnSource, type Skipped, type SourceTurn, TurnDigest } from './learn-source.ts'

/** A longer document is no page that a person wrote. */
export const MAX_DOCUMENT_BYTES = 5_000_000
/** Characters (UTF-16 units) of one part; a review is shown at most 2,000 of a text from outside. */
const PART_CHARS = 1_800

/** Formats that are text and no document. */
const NO_DOCUMENT = /\.(?:lock|map|min\.js|min\.css|svg|log|csv|tsv)$/i

export const isDocumentName = (name: string): boolean => !NO_DOCUMENT.test(name) && name !== '.DS_Store'

export interface Document {
  readonly name: string
  readonly text: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** Parts of at most `PART_CHARS`, which end at a paragraph, a line, a sentence or a word if one is near. */
const splitText = (text: string): readonly string[] => {
  const parts: string[] = []
  for (let rest = text.trim(); rest !== ''; ) {
    const window = rest.slice(0, PART_CHARS)
    const ends = ['\n\n', '\n', '. ', ' '].map((mark) => window.lastIndexOf(mark) + mark.length)
    const near = rest.length <= PART_CHARS ? rest.length : (ends.find((end) => end > PART_CHARS / 2) ?? PART_CHARS)
    // No half of a character.
    const end = /[\uD800-\uDBFF]/.test(rest.charAt(near - 1)) && near < rest.length ? near - 1 : near
    parts.push(rest.slice(0, end).trim())
    rest = rest.slice(end).trim()
  }
  return parts.filter((part) => part !== '')
}

const turnsOf = ({ name, text }: Document): readonly SourceTurn[] =>
  splitText(text).map((part, index) => ({
    messages: [{ role: 'user', text: index === 0 ? `${name}\n\n${part}` : part, outside: true }],
    tainted: true,
  }))

const REDACTED = '[redacted: looks like a secret]'

const secretsFound = (name: string, secrets: number): readonly Skipped[] =>
  secrets > 0 ? [{ name, why: `${formatCount(secrets)} of its texts look like secrets, and were redacted; the rest is read` }] : []

/** Characters that are searched for secrets before other work can run. */
const REDACTED_AT_ONCE = 100_000

/** In parts that end at an empty line, which no secret goes across but a key in several paragraphs, whose lines are recognised alone. */
const redacted = async (text: string): Promise<string> => {
  const parts: string[] = []
  for (let start = 0; start < text.length; ) {
    const near = text.indexOf('\n\n', start + REDACTED_AT_ONCE)
    const end = near < 0 || near > start + 2 * REDACTED_AT_ONCE ? Math.min(text.length, start + 2 * REDACTED_AT_ONCE) : near
    parts.push(redactCredentials(text.slice(start, end)))
    start = end
    await pause()
  }
  return parts.join('')
}

export interface FoundDocument {
  readonly source: LearnSource
  readonly skipped: readonly Skipped[]
}

/**
 * Undefined if there is nothing in it. Secrets are redacted before the text is split, since no part of one could be recognised. `reread`: the same document again;
 * default from memory.
 */
export const documentSource = async (
  document: Document,
  reread: () => Promise<Document> = async () => document,
): Promise<FoundDocument | undefined> => {
  const { name, at } = document
  const text = await redacted(document.text)
  const digest = new TurnDigest()
  for (const turn of turnsOf({ ...document, text })) digest.add(turn)
  const { turns } = digest
  if (turns === 0) return undefined
  const read = async function* () {
    const again = await reread()
    yield* turnsOf({ ...again, text: await redacted(again.text) })
  }
  const secrets = text.split(REDACTED).length - document.text.split(REDACTED).length
  return { source: { name, digest: digest.end(), turns, at, read }, skipped: secretsFound(name, secrets) }
}

/** What is wrong, in words for a person, or the text. */
export const textOfBytes = (bytes: Uint8Array, charset = 'utf-8'): { readonly text: string } | { readonly why: string } => {
  if (charset === 'utf-8' && bytes.includes(0)) return { why: 'it is not text' }
  try {
    return { text: new TextDecoder(charset, { fatal: true }).decode(bytes) }
  } catch {
    return { why: `it is not text in ${charset.toUpperCase()}` }
  }
}

const readWhole = async (path: string): Promise<Uint8Array> => {
  const file = await openFile(path)
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}

const readDocument = async ({ path, name, bytes, changedAt }: FoundFile): Promise<Document | Skipped> => {
  if (bytes > MAX_DOCUMENT_BYTES) return { name, why: `it has more than ${formatCount(MAX_DOCUMENT_BYTES / 1_000_000)} MB: split it` }
  const read = textOfBytes(await readWhole(path))
  if ('why' in read) return { name, why: read.why }
  const { toPlainText } = await import('./plain-text.ts')
  return { name, text: /\.x?html?$/i.test(name) ? toPlainText(read.text) : read.text, at: changedAt }
}

const readAgain = async (file: FoundFile): Promise<Document> => {
  await unchanged(file)
  const again = await readDocument(file)
  if ('why' in again) throw new Error(`${again.name} cannot be read any more: ${again.why}.`)
  return again
}

/** The documents of the files, without repetitions. */
export const findDocuments = async (files: readonly FoundFile[], onFile: (done: number) => void): Promise<FoundSources> => {
  const sources = new Map<string, LearnSource>()
  const skipped: Skipped[] = []
  for (const [index, file] of files.entries()) {
    onFile(index)
    try {
      const document = await readDocument(file)
      if ('why' in document) skipped.push(document)
      else {
        const found = await documentSource(document, () => readAgain(file))
        if (found) sources.set(found.source.digest, found.source)
        skipped.push(...(found?.skipped ?? [{ name: file.name, why: 'it is empty' }]))
      }
    } catch (cause) {
      skipped.push({ name: file.name, why: messageOf(cause) })
    }
  }
  return { sources: [...sources.values()].sort((a, b) => a.at - b.at), skipped }
}
