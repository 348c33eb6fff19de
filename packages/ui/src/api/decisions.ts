/** Carries out a person's decision on a proposal, and returns how to undo it. */
import { err, type Hermes, HermesError, type MemoryOp, ok, type PendingProposal, type Result } from '@hermes/core'
import type { SkillOp } from '@hermes/core/skills'
import { planOf } from './inbox.ts'
import type { Undo } from './undo-list.ts'
import { undoMemoryWrite } from './undo-memory.ts'
import { undoSkillWrite } from './undo-skill.ts'
import { unlessForgotten } from './unless-forgotten.ts'

export interface Decided {
  readonly message: string
  readonly undo: Undo | undefined
}

const WAITS = 'It waits again.'

const find = async (hermes: Hermes, id: string): Promise<Result<PendingProposal>> => {
  const listed = await hermes.pending.list()
  if (!listed.ok) return listed
  const found = listed.value.find((proposal) => proposal.id === id)
  return found ? ok(found) : err(new HermesError('not_found', 'This proposal no longer waits: it was decided in another place.'))
}

const putBack = async (hermes: Hermes, proposal: PendingProposal, message: string): Promise<Result<string>> => {
  const back = await hermes.pending.putBack(proposal)
  return back.ok ? ok(message) : back
}

export const approve = async (hermes: Hermes, id: string): Promise<Result<Decided>> => {
  const found = await find(hermes, id)
  if (!found.ok) return found
  const proposal = found.value
  const present = proposal.target === 'skill' ? undefined : await hermes.memoryStore().current(proposal.target)
  const approved = await hermes.pending.approve(id)
  if (!approved.ok) return approved
  const outcome = approved.value
  const undo: Undo = async () => {
    const undone =
      outcome.target === 'skill'
        ? await undoSkillWrite(hermes, outcome)
        : await undoMemoryWrite(hermes, proposal.ops as readonly MemoryOp[], outcome, present?.ok ? present.value : [])
    return undone.ok ? putBack(hermes, proposal, `The approval is undone. ${WAITS}`) : undone
  }
  return ok({ message: `Approved: ${outcome.message}`, undo: await unlessForgotten(hermes, proposal, undo) })
}

export const reject = async (hermes: Hermes, id: string): Promise<Result<Decided>> => {
  const rejected = await hermes.pending.reject(id)
  if (!rejected.ok) return rejected
  return ok({
    message: 'Rejected. Nothing was written; the journal keeps the proposal.',
    undo: await unlessForgotten(hermes, rejected.value, () => putBack(hermes, rejected.value, `The rejection is undone. ${WAITS}`)),
  })
}

const editMemory = async (
  hermes: Hermes,
  proposal: Exclude<PendingProposal, { readonly target: 'skill' }>,
  content: string,
): Promise<Result<Decided>> => {
  const [op] = proposal.ops
  if (!op || proposal.ops.length > 1 || op.action === 'remove') {
    return err(new HermesError('invalid', 'Only a proposal of one new text can be edited. Approve or reject this one.'))
  }
  const { target } = proposal
  const edited: MemoryOp = { ...op, content }
  const present = await hermes.memoryStore().current(target)
  const written = await hermes.memoryStore().apply(target, edited, { origin: 'user', reason: 'A person edited a proposal.' })
  if (!written.ok) return written
  return ok({
    message: `Written as edited. ${written.value.message}`,
    undo: async () => {
      const undone = await undoMemoryWrite(hermes, [edited], written.value, present.ok ? present.value : [])
      return undone.ok ? putBack(hermes, proposal, `The edited text is gone. ${WAITS}`) : undone
    },
  })
}

const writeSkill = async (hermes: Hermes, op: SkillOp, content: string, version: string | undefined) => {
  const store = hermes.skillStore()
  const expected = version === undefined ? {} : { version }
  if (op.action === 'create') return store.create({ name: op.name, category: op.category, content })
  const filePath = 'filePath' in op ? op.filePath : undefined
  return filePath === undefined ? store.edit(op.name, content, expected) : store.writeFile(op.name, filePath, content, expected)
}

const editSkill = async (
  hermes: Hermes,
  proposal: Extract<PendingProposal, { readonly target: 'skill' }>,
  content: string,
): Promise<Result<Decided>> => {
  const [op] = proposal.ops
  const planned = await planOf(hermes, proposal)
  if (!op || !planned) return err(new HermesError('invalid', 'This proposal holds no change.'))
  if (!planned.ok) return planned
  if (proposal.files && proposal.files.length > 0)
    return err(new HermesError('invalid', 'This skill comes with files, which an edited text would leave out. Approve or reject it.'))
  if (!planned.value.next) return err(new HermesError('invalid', 'This proposal writes no text. Approve or reject it.'))
  const { current } = planned.value
  const written = await writeSkill(hermes, op, content, current?.version)
  if (!written.ok) return written
  const { skill, filePath, before } = written.value
  const previous = before && new TextDecoder().decode(before)
  const outcome = { target: 'skill', action: op.action, name: skill.name, path: skill.path, filePath, message: '', previous } as const
  return ok({
    message: `The skill '${skill.name}' was written as edited.`,
    undo: async () => {
      const undone = await undoSkillWrite(hermes, outcome)
      return undone.ok ? putBack(hermes, proposal, `The edited text is gone. ${WAITS}`) : undone
    },
  })
}

/** Writes a person's version of the proposed text, then drops the proposal. */
export const edit = async (hermes: Hermes, id: string, content: string): Promise<Result<Decided>> => {
  const found = await find(hermes, id)
  if (!found.ok) return found
  const written = await (found.value.target === 'skill'
    ? editSkill(hermes, found.value, content)
    : editMemory(hermes, found.value, content))
  if (!written.ok) return written
  const dropped = await hermes.pending.reject(id)
  if (!dropped.ok) return dropped
  const { message, undo } = written.value
  return ok({ message, undo: undo && (await unlessForgotten(hermes, found.value, undo)) })
}
