/** The one parser of SKILL.md, and what it demands before a text is written. It holds a YAML parser, so code that every session needs uses `readSkillDocument`. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { splitSkillText } from './front-matter.ts'
import { readFrontMatter } from './front-matter-yaml.ts'
import { isSkillProblem, type SkillDiagnostic, type SkillDocument, type SkillPlace, toSkillDocument } from './skill-document.ts'

/** Never fails: each fault is a diagnostic, and everything readable is returned. */
export const parseSkillDocument = (text: string, place: SkillPlace): SkillDocument => {
  const split = splitSkillText(text)
  return toSkillDocument({ text, ...split }, split.fault ? undefined : readFrontMatter(split.yaml), place)
}

const refuse = (folderName: string, problems: readonly SkillDiagnostic[]): { readonly ok: false; readonly error: HermesError } => {
  const reasons = problems.map(({ message }) => message).join(' ')
  const code = problems.every((problem) => problem.code === 'too_large') ? 'over_limit' : 'invalid'
  return err(new HermesError(code, `The SKILL.md of '${folderName.slice(0, 80)}' was not saved. ${reasons}`, { details: { problems } }))
}

/** All problems are listed in `details.problems`. */
export const checkNewSkill = (text: string, folderName: string): Result<SkillDocument> => {
  const document = parseSkillDocument(text, { folderName })
  const problems = document.diagnostics.filter(isSkillProblem)
  return problems.length === 0 ? ok(document) : refuse(folderName, problems)
}

/**
 * For patches and edits. Problems that the skill already had are allowed, so that a broken skill can be repaired step by step
 * (NousResearch/hermes-agent#117736); new problems are refused, and so is growth beyond the limit.
 */
export const checkSkillEdit = (before: string, after: string, folderName: string): Result<SkillDocument> => {
  const had = new Set(parseSkillDocument(before, { folderName }).diagnostics.map(({ code }) => code))
  const document = parseSkillDocument(after, { folderName })
  const problems = document.diagnostics.filter(
    (diagnostic) =>
      isSkillProblem(diagnostic) && (!had.has(diagnostic.code) || (diagnostic.code === 'too_large' && after.length > before.length)),
  )
  return problems.length === 0 ? ok(document) : refuse(folderName, problems)
}
