/**
 * Asks the gate about each item of an archive that is not trusted, as about text from outside (DESIGN 5). A held item is an ordinary held proposal. A rejected
 * item is only named in the report: nothing of it stays in the home.
 */
import { leastWilling, type Verdict } from '../gate/review-gate.ts'
import { type PendingProposal, pendingId, pendingPath, toPending } from '../journal/pending.ts'
import { type HeldSkillFile, pendingProposalSchema } from '../journal/pending-proposal.ts'
import type { EntryTime, MemoryTarget } from '../memory/memory-op.ts'
import { prepareOps } from '../memory/plan-change.ts'
import type { MemoryProposal, ReviewProposal, SkillProposal } from '../proposal/review-proposal.ts'
import { askGate } from '../review/apply/ask-gate.ts'
import { tooLong } from '../review/apply/dispose-proposal.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { textsIn } from '../shared/json-texts.ts'
import { jsonBytes } from '../storage/json-document.ts'
import type { ExportPart } from './export-manifest.ts'
import { type Import, must } from './import-context.ts'

/** An item as the proposals that would write it. */
interface OutsideItem {
  readonly part: ExportPart
  /** Its place in the archive. */
  readonly name: string
  /** Of the store `project`. */
  readonly project?: string | undefined
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
  /** Throws if it could not be approved later, so that it is refused instead of held. */
  readonly refuseToHold?: () => Promise<void>
}

const WAITED = 'It waited for approval in the home that it comes from.'

const addition = { rationale: '', score: 1, evidence: [] } as const

export const toProposal = <Op>(op: Op) => ({ op, ...addition })

/** The first rejection, else the first hold, else undefined for an approval. Asked once: another attempt of the import gets the same answer. */
const judge = async (running: Import, key: string, proposals: readonly ReviewProposal[]): Promise<Verdict | undefined> => {
  if (running.verdicts.has(key)) return running.verdicts.get(key)
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
    const verdict = must(asked)
    verdicts.push(verdict)
    if (verdict.verdict === 'reject') break
  }
  const verdict = leastWilling(verdicts)
  running.verdicts.set(key, verdict)
  return verdict
}

/**
 * Whether the item may be written; always true in a trusted import. Otherwise it is held, or known here already, and counted. Throws if the gate rejects it, if the
 * gate or the storage fails, and if the proposal is larger than one document may be.
 */
export const admit = async (running: Import, item: OutsideItem): Promise<boolean> => {
  const { home, waiting, trusted, tally, known, held, lines } = running
  if (trusted) return true
  const { part, name, project, proposals, files, base = null, besides = [], waits = false } = item
  const [first] = proposals
  const id = await pendingId(
    first.target,
    [...proposals].map(({ op }) => op),
    { files, project },
  )
  const path = pendingPath({ target: first.target, id })
  if (waiting.has(path) || known.decided.has(id) || held[path]) {
    tally.alreadyThere(part)
    return false
  }
  const judged = await judge(running, `${part} ${name} ${id}`, [...proposals, ...besides])
  const deciding = judged ?? (waits ? ({ verdict: 'hold', reason: WAITED } as const) : undefined)
  if (!deciding) return true
  if (deciding.verdict === 'reject') throw new HermesError('rejected', deciding.reason)
  await item.refuseToHold?.()
  const reason = item.note === undefined ? deciding.reason : `${item.note} ${deciding.reason}`
  const words = { reason, origin: 'tool' } as const
  const pending = await toPending(
    first.target === 'skill'
      ? { proposals: [first], base, files, ...words }
      : { proposals: proposals as [MemoryProposal], project, ...words },
    home.clock,
  )
  held[path] = jsonBytes<PendingProposal>(path, pending, pendingProposalSchema)
  tally.held({ part, name, pendingId: id, reason })
  for (const { target, op } of proposals)
    lines.push({ actor: home.actor, kind: 'held', pendingId: id, target, ...(project === undefined ? {} : { project }), op, ...words })
  return false
}

/** `admit` for an entry of memory, live or archived. */
export const admitEntry = async (
  running: Import,
  part: ExportPart,
  name: string,
  {
    target,
    project,
    text,
    time = {},
  }: { readonly target: MemoryTarget; readonly project?: string | undefined; readonly text: string; readonly time?: EntryTime },
): Promise<boolean> => {
  if (running.trusted) return true
  const op = { action: 'add', content: text, ...time } as const
  must(prepareOps(op))
  const unfit = tooLong([op])
  if (unfit) throw unfit
  return admit(running, { part, name, project, proposals: [{ target, ...toProposal(op) }] })
}
