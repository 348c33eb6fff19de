/** A merge that waits for a person: what is stored of it with its held proposal, and its approval, which passes every check of the text and the files again. */
import { refuseSkillText } from '../../gate/skill-text.ts'
import type { HeldMerge, HeldSkillFile, PendingSkillProposal } from '../../journal/pending-proposal.ts'
import { fromBase64, toBase64 } from '../../shared/base64.ts'
import { equalBytes } from '../../shared/equal-bytes.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { decodeSkillText } from '../../skills/read-skill.ts'
import { SKILL_FILE, toDocumentPath } from '../../skills/skill-discovery.ts'
import type { SkillOp, SkillOpOutcome } from '../../skills/skill-op.ts'
import { SkillStore } from '../../skills/skill-store.ts'
import { orError } from '../../storage/one-document.ts'
import type { Cut } from '../../storage/storage-backend.ts'
import type { CuratorHome } from '../curator-home.ts'
import { absorbedOp, filesBeside, readFacts } from './carry-out.ts'
import { type Merge, type PlannedMerge, pathsOf, planMerge } from './plan-merge.ts'
import { checkFile } from './prepare.ts'

/** What is stored of a merge with its held proposal, beside the text. */
export const toHeld = ({ umbrella, sources }: Merge): { readonly merge?: HeldMerge; readonly files?: readonly HeldSkillFile[] } => {
  if (!umbrella) return {}
  const files = umbrella.files.map(({ path, bytes, executable = false }): HeldSkillFile => {
    const text = decodeSkillText(bytes)
    return { path, ...(text === undefined ? { base64: toBase64(bytes) } : { text }), ...(executable ? { executable } : {}) }
  })
  return { merge: { path: umbrella.path, createdBy: umbrella.createdBy, sources }, files }
}

type HeldUmbrella = PendingSkillProposal & { readonly merge: HeldMerge }

type UmbrellaOp = Extract<SkillOp, { readonly action: 'create' | 'edit' }>

const fromHeld = ({ base, model, files = [], merge: { path, createdBy, sources } }: HeldUmbrella, op: UmbrellaOp) => ({
  umbrella: {
    name: op.name,
    path,
    base,
    content: op.content,
    files: files.map(({ path: inside, text = '', base64, executable = false }) => ({
      path: inside,
      bytes: base64 === undefined ? new TextEncoder().encode(text) : fromBase64(base64),
      executable,
    })),
    createdBy,
    model,
  },
  sources,
})

/** The operation, if the store takes it where the merge writes. */
const checkPlace = async ({ ops: [op, ...more], base, merge }: HeldUmbrella, skills: SkillStore): Promise<Result<UmbrellaOp>> => {
  const wanted = base === null ? 'create' : 'edit'
  if (!op || more.length > 0 || (op.action !== 'create' && op.action !== 'edit') || op.action !== wanted)
    return err(new HermesError('invalid', 'This merge is not a proposal for one whole skill. Reject it.'))
  const planned = await skills.plan(op)
  if (!planned.ok) return planned
  const { path } = planned.value.skill
  if (path === merge.path) return ok(op)
  return err(
    new HermesError(
      'drift',
      `The skill '${op.name}' belongs into '${path}', and not into '${merge.path.slice(0, 80)}'. Reject the proposal.`,
    ),
  )
}

const blocked = (reason: string | undefined): HermesError | undefined =>
  reason === undefined ? undefined : new HermesError('blocked', reason)

/**
 * Why the umbrella may not be written, or undefined. Its file may have been changed since the model's text was checked. Copies of what the skills hold already
 * are not new text.
 */
const whyUnfit = (cut: Cut, op: UmbrellaOp, { umbrella, sources }: ReturnType<typeof fromHeld>, previous: string | undefined) => {
  const current = previous === undefined ? undefined : { text: previous }
  const unfit = blocked(refuseSkillText({ op, current, next: op.content }))
  if (unfit) return unfit
  const present = [toDocumentPath(umbrella), ...sources.flatMap((source) => source.files.map(({ path }) => toDocumentPath(source, path)))]
  const known = present.flatMap((path) => cut.document(path)?.bytes ?? [])
  for (const { path: filePath, bytes } of umbrella.files) {
    const isCopy = known.some((one) => equalBytes(one, bytes))
    const content = isCopy ? '' : (decodeSkillText(bytes) ?? '')
    const write: SkillOp = { action: 'write_file', name: op.name, filePath, content }
    const refused = blocked(refuseSkillText({ op: write, current: undefined, next: content }))
    if (refused) return refused
  }
  return undefined
}

interface ApprovedUmbrella extends ReturnType<typeof filesBeside> {
  readonly outcome: SkillOpOutcome
  readonly archived: readonly ReturnType<typeof absorbedOp>[]
}

/**
 * Carries out a held merge that a person has approved, over the transaction that decides about it. Errors: `drift` if its skills have changed since; `blocked` if no
 * skill may hold a text of it; `invalid_path` or `over_limit` for a file that no skill may have.
 */
export const approveMerge = async (
  held: HeldUmbrella,
  { storage: over, clock }: Pick<CuratorHome, 'storage' | 'clock'>,
): Promise<Result<ApprovedUmbrella>> => {
  const skills = new SkillStore({ storage: over, clock })
  const op = await checkPlace(held, skills)
  if (!op.ok) return op
  const merge = fromHeld(held, op.value)
  const [wrong] = merge.umbrella.files.flatMap(({ path, bytes }) => checkFile(path, bytes) ?? [])
  if (wrong) return err(wrong)
  const facts = await readFacts(over, skills, clock())
  if (!facts.ok) return facts
  const written = await orError(() =>
    over.update<PlannedMerge>(pathsOf(merge), (cut) => {
      const planned = planMerge(cut, merge, facts.value)
      if (!planned.ok) throw planned.error
      const unfit = whyUnfit(cut, op.value, merge, planned.value.previous)
      if (unfit) throw unfit
      return { ...planned.value.plan, value: planned.value }
    }),
  )
  if (!written.ok) {
    const advice = written.error.code === 'drift' ? ' Reject the proposal; a merge that is still needed will be proposed again.' : ''
    return err(new HermesError(written.error.code, `${written.error.message}${advice}`, { cause: written.error }))
  }
  const { name, action } = op.value
  const { archived, previous } = written.value
  const message = `Merged ${[...archived.keys()].join(', ')} into '${name}'.`
  const before = previous === undefined ? {} : { previous }
  const outcome = { target: 'skill', action, name, path: held.merge.path, filePath: SKILL_FILE, message, ...before } as const
  return ok({ outcome, archived: [...archived].map(([source, entry]) => absorbedOp(source, name, entry)), ...filesBeside(merge) })
}
