/**
 * Asks the gate about each item of an archive that is not trusted, as about text from outside (DESIGN 5). A held item is an ordinary held proposal. A rejected
 * item is only named in the report: nothing of it stays in the home.
 */
import { leastWilling, type ReviewGate, type Verdict } from '../gate/review-gate.ts'
import { pendingId } from '../journal/pending.ts'
import type { HeldSkillFile } from '../journal/pending-proposal.ts'
import type { MemoryTarget } from '../memory/memory-op.ts'
import { prepareOps } from '../memory/prepare-ops.ts'
import type { MemoryProposal, ReviewProposal, SkillProposal } from '../proposal/review-proposal.ts'
import { askGate } from '../review/apply/ask-gate.ts'
import { tooLong } from '../review/apply/dispose-proposal.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { textsIn } from '../shared/json-texts.ts'
import { ok, type Result } from '../shared/result.ts'
import type { ExportPart } from './export-scope.ts'
import type { ImportContext } from './import-context.ts'

/** An item as the proposals that would write it. */
interface OutsideItem {
  readonly part: ExportPart
  /** Its place in the archive. */
  readonly name: string
  /** All on one store, or one on a skill. */
  readonly proposals: readonly [MemoryProposal, ...MemoryProposal[]] | readonly [SkillProposal]
  readonly files?: readonly HeldSkillFile[]
  /** Judged with the item, but held as `files`. */
  readonly besides?: readonly SkillProposal[]
  /** The version of the skill's file that a proposal of the archive is for. */
  readonly base?: string | null
  /** A sentence before the reason of a held item. */
  readonly note?: string
  /** It waited in the home that it comes from, so it is held even if the gate would approve it. */
  readonly waits?: boolean
  /** Why it could not be approved later, so that it is refused instead of held. */
  readonly whyNotHeld?: () => Promise<HermesError | undefined>
}

const WAITED = 'It waited for approval in the home that it comes from.'

const addition = { rationale: '', score: 1, evidence: [] } as const

export const toProposal = <Op>(op: Op) => ({ op, ...addition })

/** The first rejection, else the first hold, else an approval. */
const judge = async (proposals: readonly ReviewProposal[], gate: ReviewGate): Promise<Result<Verdict | undefined>> => {
  const verdicts: Verdict[] = []
  for (const proposal of proposals) {
    const text = textsIn(proposal.op).join('\n')
    const asked = await askGate(gate, proposal, {
      // The id is named in the reason.
      transcript: [{ id: 'the archive', role: 'tool', origin: 'tool', text }],
      sight: 'outside',
      entries: { memory: [], user: [] },
      ...(proposal.target === 'skill' ? { skill: { current: undefined } } : {}),
      unattended: true,
    })
    if (!asked.ok) return asked
    verdicts.push(asked.value)
    if (asked.value.verdict === 'reject') break
  }
  return ok(leastWilling(verdicts))
}

/**
 * Whether the item may be written; always true in a trusted import. Otherwise it was held, refused, or is known here already, and is counted. Fails if the gate
 * or the storage does.
 */
export const admit = async (item: OutsideItem, { outside, tally, actor, record }: ImportContext): Promise<Result<boolean>> => {
  if (!outside) return ok(true)
  const { part, name, proposals, files, besides = [], base = null, note, waits = false, whyNotHeld } = item
  const { gate, pending, decided } = outside
  const refuse = (error: HermesError): Result<boolean> => {
    tally.refused(part, name, error)
    return ok(false)
  }
  const [first] = proposals
  const id = await pendingId(
    first.target,
    [...proposals].map(({ op }) => op),
    files,
  )
  const waiting = await pending.get(id)
  if (!waiting.ok) return waiting
  if (waiting.value || decided.has(id)) {
    tally.alreadyThere(part)
    return ok(false)
  }
  const judged = await judge([...proposals, ...besides], gate)
  if (!judged.ok) return judged
  const deciding = judged.value ?? (waits ? ({ verdict: 'hold', reason: WAITED } as const) : undefined)
  if (!deciding) return ok(true)
  if (deciding.verdict === 'reject') return refuse(new HermesError('rejected', deciding.reason))
  const unfit = await whyNotHeld?.()
  if (unfit) return refuse(unfit)
  const reason = note === undefined ? deciding.reason : `${note} ${deciding.reason}`
  const reasons = { reason, origin: 'tool' } as const
  const held = await pending.hold(
    first.target === 'skill' ? { proposals: [first], base, files, ...reasons } : { proposals: proposals as [MemoryProposal], ...reasons },
  )
  if (!held.ok) return held.error.code === 'over_limit' ? refuse(held.error) : held
  tally.held({ part, name, pendingId: id, reason })
  await record([...proposals].map(({ target, op }) => ({ actor, kind: 'held', pendingId: id, target, op, ...reasons })))
  return ok(false)
}

/** `admit` for an entry of memory, live or archived. */
export const admitEntry = async (
  part: ExportPart,
  name: string,
  { target, text }: { readonly target: MemoryTarget; readonly text: string },
  context: ImportContext,
): Promise<Result<boolean>> => {
  if (!context.outside) return ok(true)
  const op = { action: 'add', content: text } as const
  const prepared = prepareOps(op)
  const unfit = prepared.ok ? tooLong([op]) : prepared.error
  if (unfit) {
    context.tally.refused(part, name, unfit)
    return ok(false)
  }
  return admit({ part, name, proposals: [{ target, ...toProposal(op) }] }, context)
}
