/** Asks the gate about a skill of an untrusted archive with all its files. A held skill waits with them, as one proposal. */
import type { HeldSkillFile } from '../journal/pending-proposal.ts'
import type { SkillProposal } from '../proposal/review-proposal.ts'
import { toBase64 } from '../shared/base64.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { decodeSkillText } from '../skills/read-skill.ts'
import { SKILLS_FOLDER, toDocumentPath } from '../skills/skill-discovery.ts'
import { SkillStore } from '../skills/skill-store.ts'
import type { DocumentContent } from '../storage/storage-backend.ts'
import type { ExportPart } from './export-scope.ts'
import type { ImportContext } from './import-context.ts'
import { admit, toProposal } from './judge-outside.ts'
import type { CheckedSkill } from './place-skill.ts'

/** Bytes of all files that may wait in one document. */
const MAX_HELD_BYTES = 2_097_152

const WAS_ARCHIVED = 'It is archived in the home that it comes from.'

interface FileBeside {
  /** Inside the folder of the skill. */
  readonly path: string
  readonly text: string | undefined
  readonly content: DocumentContent
}

const filesBeside = ({ folder, contents }: CheckedSkill): readonly FileBeside[] => {
  const own = toDocumentPath(folder)
  return [...contents]
    .filter(([path]) => path !== own)
    .map(([path, content]) => ({
      path: path.slice(`${SKILLS_FOLDER}/${folder.path}/`.length),
      text: decodeSkillText(content.bytes),
      content,
    }))
}

const toHeldFile = ({ path, text, content: { bytes, executable = false } }: FileBeside): HeldSkillFile => ({
  path,
  ...(text === undefined ? { base64: toBase64(bytes) } : { text }),
  ...(executable ? { executable } : {}),
})

const whyNotHeld = async (op: Extract<SkillProposal['op'], { action: 'create' }>, bytes: number, { storage, clock }: ImportContext) => {
  const planned = await new SkillStore({ storage, clock }).plan(op)
  if (!planned.ok) return planned.error
  const message = `Its files have ${bytes} bytes, but at most ${MAX_HELD_BYTES} can wait for approval. Look at the archive, then import it as trusted or install the skill.`
  return bytes > MAX_HELD_BYTES ? new HermesError('over_limit', message) : undefined
}

/** See `admit`. */
export const admitSkill = async (
  part: Extract<ExportPart, 'skills' | 'archivedSkills'>,
  skill: CheckedSkill,
  category: string | undefined,
  context: ImportContext,
): Promise<Result<boolean>> => {
  if (!context.outside) return ok(true)
  const { name } = skill.document
  const op = { action: 'create', name, ...(category === undefined ? {} : { category }), content: skill.text } as const
  const beside = filesBeside(skill)
  const besides = beside.flatMap(({ path, text }): SkillProposal[] =>
    text === undefined ? [] : [{ target: 'skill', ...toProposal({ action: 'write_file', name, filePath: path, content: text } as const) }],
  )
  const bytes = [...skill.contents.values()].reduce((sum, content) => sum + content.bytes.length, 0)
  return admit(
    {
      part,
      name: `${SKILLS_FOLDER}/${skill.folder.path}`,
      proposals: [{ target: 'skill', ...toProposal(op) }],
      files: bytes > MAX_HELD_BYTES ? [] : beside.map(toHeldFile),
      besides,
      ...(part === 'archivedSkills' ? { note: WAS_ARCHIVED } : {}),
      whyNotHeld: () => whyNotHeld(op, bytes, context),
    },
    context,
  )
}
