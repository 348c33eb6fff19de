/** Reads the SKILL.md of a skill folder, with as little code as it needs. */
import { HermesError } from '../shared/hermes-error.ts'
import { withLazy } from '../shared/lazy.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { documentVersion } from '../storage/document-version.ts'
import { readDocument } from '../storage/one-document.ts'
import type { ReadableStorage, StoredDocument } from '../storage/storage-backend.ts'
import { readSimpleFrontMatter, splitSkillText } from './front-matter.ts'
import { type SkillFolder, toDocumentPath } from './skill-discovery.ts'
import { type SkillDocument, type SkillPlace, toSkillDocument } from './skill-document.ts'

/** `undefined` if the bytes are not UTF-8. A byte order mark is kept: a change elsewhere must not drop it. */
export const decodeSkillText = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The content of a file for display; a description if it is not text. */
export const toShownText = (content: string | Uint8Array): string =>
  typeof content === 'string' ? content : (decodeSkillText(content) ?? `[${content.length.toLocaleString('en')} bytes that are not text]`)

/** `invalid` for anything but text, and for lone surrogates, which UTF-8 cannot encode. */
export const encodeSkillText = (text: string, path: string): Result<Uint8Array> => {
  if (typeof text !== 'string') {
    return err(new HermesError('invalid', `The content of '${path}' must be text, but a value of type ${typeof text} was passed.`))
  }
  if (/[\ud800-\udfff]/u.test(text)) {
    const message = `The content of '${path}' holds half a character (a lone surrogate), which cannot be stored in a file. Send the text again.`
    return err(new HermesError('invalid', message, { details: { path } }))
  }
  return ok(new TextEncoder().encode(text))
}

/** As `parseSkillDocument`, which is loaded only for front matter that needs a YAML parser: that is much code, and few skills need it. */
export const readSkillDocument = async (text: string, place: SkillPlace): Promise<Result<SkillDocument>> => {
  const split = splitSkillText(text)
  const frontMatter = split.fault ? undefined : readSimpleFrontMatter(split.yaml)
  if (split.fault || frontMatter) return ok(toSkillDocument({ text, ...split }, frontMatter, place))
  return withLazy(
    'The YAML parser',
    () => import('./parse-skill-document.ts'),
    async ({ parseSkillDocument }) => ok(parseSkillDocument(text, place)),
  )
}

/** Maximum bytes of a SKILL.md to read; several times the limit for writing, so that an overlong skill can be read and shortened. */
const MAX_SKILL_FILE_BYTES = 1_048_576

export interface ReadSkill extends SkillFolder {
  readonly bytes: Uint8Array
  /** The whole SKILL.md. */
  readonly text: string
  /** Version of the SKILL.md; opaque. */
  readonly version: string
  readonly document: SkillDocument
}

const unreadable = (path: string, why: string, cause?: unknown): HermesError =>
  new HermesError('unreadable', `'${path}' ${why}`, { cause, details: { path } })

/** `unreadable` for a SKILL.md above the limit; it is not read, so that it cannot block the host. */
export const checkSkillFileSize = (path: string, bytes: number): Result<void> =>
  bytes <= MAX_SKILL_FILE_BYTES
    ? ok(undefined)
    : err(unreadable(path, `is larger than ${MAX_SKILL_FILE_BYTES} bytes, so it is not read. Move parts of it into support files.`))

/** Its place and its name. */
export const toNamedFolder = ({ path, folderName, category, document: { name } }: ReadSkill): SkillFolder & { readonly name: string } => ({
  path,
  folderName,
  category,
  name,
})

/** `undefined` if there is no SKILL.md; `unreadable` if it is not text. */
export const readSkill = async (storage: Pick<ReadableStorage, 'read'>, folder: SkillFolder): Promise<Result<ReadSkill> | undefined> => {
  const path = toDocumentPath(folder)
  const read = await readDocument(storage, path)
  if (!read.ok) {
    if (read.error.code === 'closed') return read
    return err(unreadable(path, `cannot be read: ${read.error.message}`, read.error))
  }
  if (!read.value) return undefined
  const stored = read.value
  const { bytes } = stored
  const sized = checkSkillFileSize(path, bytes.length)
  if (!sized.ok) return sized
  const text = decodeSkillText(bytes)
  if (text === undefined) return err(unreadable(path, 'is not valid UTF-8. Save it as UTF-8, then retry; it was left as it is.'))
  const document = await readSkillDocument(text, folder)
  if (!document.ok) return document
  return ok({
    ...folder,
    bytes,
    text,
    // Most readers need no version, which may have to be computed.
    get version() {
      return documentVersion(stored)
    },
    document: document.value,
  })
}

/** A file as it was read. */
export interface SeenFile {
  readonly bytes: Uint8Array
  /** See `documentVersion`. */
  readonly version: string
}

/** Its version is computed only if somebody asks for it. */
export const toSeenFile = (file: StoredDocument | ReadSkill): SeenFile => {
  if ('version' in file) return file
  const { bytes } = file
  return {
    bytes,
    get version() {
      return documentVersion(file)
    },
  }
}
