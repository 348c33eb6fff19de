/**
 * Asks the gate about each item of an archive that is not trusted, as about text from outside (DESIGN 5). A held item is an ordinary held proposal. A rejected
 * item is only named in the report: nothing of it stays in the home.
 */
import { leastWilling, type Verdict } from '../gate/review-gate.ts'
import { type PendingProposal, pendingId, pendingPath, toPending } from '../journal/pending.ts'
import { type HeldSkillFile, pendingProposalSchema } from '../journal/pending-proposal.ts'
import type { MemoryTarget } from '../memory/memory-op.ts'
import { prepareOps } from '../memory/plan-change.ts'
import type { MemoryProposal, ReviewProposal, SkillProposal } from '../proposal/review-proposal.ts'
import { askGate } from '../review/apply/ask-gate.ts'
import { tooLong } from '../review/apply/dispose-proposal.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { textsIn } from '../shared/json-texts.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { jsonBytes } from '../storage/json-document.ts'
import { orError } from '../storage/one-document.ts'
import type { ExportPart } from './export-manifest.ts'
import type { Import } from './import-context.ts'

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

/** Ids of the proposals that wait in this home. */
const waitingIn = async (running: Import): Promise<Result<ReadonlySet<string>>> => {
  if (running.waiting) return ok(running.waiting)
  const listed = await running.over.list('pending')
  if (!listed.ok) return listed
  running.waiting = new Set(listed.value.map(({ path }) => path.slice(path.lastIndexOf('/') + 1).replace(/\.json$/, '')))
  return ok(running.waiting)
}

/** The first rejection, else the first hold, else an approval. Asked once: another attempt of the import gets the same answer. */
const judge = async (running: Import, key: string, proposals: readonly ReviewProposal[]): Promise<Result<Verdict | undefined>> => {
  if (running.verdicts.has(key)) return ok(running.verdicts.get(key))
  const verdicts: Verdict[] = []
  for (const proposal of proposals) {
    const text = textsIn(proposal.op).join('\n')
    await running.takeTurn(text.length)
    const asked = await askGate(running.home.gate, proposal, {
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
  const verdict = leastWilling(verdicts)
  running.verdicts.set(key, verdict)
  return ok(verdict)
}

/** Fails if the proposal is larger than one document may be. */
const hold = async ({ home, held }: Import, { proposals, files, base = null }: OutsideItem, reason: string): Promise<Result<void>> => {
  const [first] = proposals
  const reasons = { reason, origin: 'tool' } as const
  const proposal = await toPending(
    first.target === 'skill' ? { proposals: [first], base, files, ...reasons } : { proposals: proposals as [MemoryProposal], ...reasons },
    home.clock,
  )
  const path = pendingPath(proposal)
  return orError(async () => {
    held[path] = jsonBytes<PendingProposal>(path, proposal, pendingProposalSchema)
    return ok(undefined)
  })
}

/**
 * Whether the item may be written; always true in a trusted import. Otherwise it was held, refused, or is known here already, and is counted. Fails if the gate
 * or the storage does.
 */
export const admit = async (running: Import, item: OutsideItem): Promise<Result<boolean>> => {
  const { home, trusted, tally, known, held, lines } = running
  if (trusted) return ok(true)
  const { part, name, proposals, files, besides = [], waits = false } = item
  const [{ target }] = proposals
  const ops = [...proposals].map(({ op }) => op)
  const id = await pendingId(target, ops, files)
  const waiting = await waitingIn(running)
  if (!waiting.ok) return waiting
  if (waiting.value.has(id) || known.decided.has(id) || held[pendingPath({ target, id })]) {
    tally.alreadyThere(part)
    return ok(false)
  }
  const judged = await judge(running, `${part} ${name} ${id}`, [...proposals, ...besides])
  if (!judged.ok) return judged
  const deciding = judged.value ?? (waits ? ({ verdict: 'hold', reason: WAITED } as const) : undefined)
  if (!deciding) return ok(true)
  const reason = item.note === undefined ? deciding.reason : `${item.note} ${deciding.reason}`
  const unfit = deciding.verdict === 'reject' ? new HermesError('rejected', deciding.reason) : await item.whyNotHeld?.()
  const done = unfit ? err(unfit) : await hold(running, item, reason)
  if (done.ok) {
    tally.held({ part, name, pendingId: id, reason })
    for (const { target, op } of proposals)
      lines.push({ actor: home.actor, kind: 'held', pendingId: id, target, op, reason, origin: 'tool' })
  } else tally.refused(part, name, done.error)
  return ok(false)
}

/** `admit` for an entry of memory, live or archived. */
export const admitEntry = async (
  running: Import,
  part: ExportPart,
  name: string,
  { target, text }: { readonly target: MemoryTarget; readonly text: string },
): Promise<Result<boolean>> => {
  if (running.trusted) return ok(true)
  const op = { action: 'add', content: text } as const
  const prepared = prepareOps(op)
  const unfit = prepared.ok ? tooLong([op]) : prepared.error
  if (!unfit) return admit(running, { part, name, proposals: [{ target, ...toProposal(op) }] })
  running.tally.refused(part, name, unfit)
  return ok(false)
}
