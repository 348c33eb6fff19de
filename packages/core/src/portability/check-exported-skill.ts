/** Checks a skill of an archive: all its texts are scanned before any file is written. */
import { wordsOfPlace } from '../gate/skill-place.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { toDocumentPath } from '../skills/skill-discovery.ts'
import { parseSkillDocument, type SkillDocument } from '../skills/skill-document.ts'
import { checkSkillFileSize } from '../skills/skill-read.ts'
import { decodeSkillText } from '../skills/skill-text.ts'
import type { DocumentContent } from '../storage/storage-backend.ts'
import type { ExportedSkill } from './exported-skill.ts'
import { invalidImport } from './import-context.ts'
import type { ImportScanner } from './import-threats.ts'

export interface CheckedSkill extends ExportedSkill {
  readonly text: string
  readonly document: SkillDocument
  /** Files by document path, the SKILL.md last. */
  readonly contents: ReadonlyMap<string, DocumentContent>
}

const inFile = (path: string, { code, message }: HermesError): HermesError =>
  new HermesError(code, `'${path}': ${message}`, { details: { path } })

/** Binary files pass, because the agent never reads them. */
const checkFile = async (path: string, bytes: Uint8Array, scanner: ImportScanner): Promise<HermesError | undefined> => {
  const text = decodeSkillText(bytes)
  if (text === undefined) return undefined
  return (await scanner.findCredential(text)) ?? (await scanner.findThreat(`${path}\n${wordsOfPlace(path)}\n${text}`, 'context'))
}

/** Refuses the whole skill with `blocked` if any file contains a threat or a credential; also fails with `unreadable`, `invalid` or the code of a size limit. */
export const checkExportedSkill = async (
  skill: ExportedSkill,
  all: ReadonlyMap<string, DocumentContent>,
  scanner: ImportScanner,
): Promise<Result<CheckedSkill>> => {
  const contents = new Map<string, DocumentContent>()
  for (const path of skill.files) {
    const content = all.get(path)
    if (!content) return err(invalidImport(`Its file '${path}' is missing.`))
    contents.set(path, content)
  }
  const own = toDocumentPath(skill.folder)
  const bytes = contents.get(own)?.bytes ?? new Uint8Array()
  const sized = checkSkillFileSize(own, bytes.length)
  if (!sized.ok) return sized
  const text = decodeSkillText(bytes)
  if (text === undefined) return err(new HermesError('unreadable', `'${own}' is not valid UTF-8.`))
  for (const [path, content] of contents) {
    const problem = await checkFile(path, content.bytes, scanner)
    if (problem) return err(inFile(path, problem))
  }
  return ok({ ...skill, text, document: parseSkillDocument(text, skill.folder), contents })
}
