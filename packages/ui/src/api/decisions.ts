/** Carries out a person's decision on a proposal. */
import { err, type Hermes, HermesError, type JournalRecord, ok, type PendingProposal, type Result } from '@hermes/core'
import type { SkillOp } from '@hermes/core/skills'
import { planOf } from './inbox.ts'
import { wroteEntry } from './memory.ts'
import type { Change } from './undo.ts'

const find = async (hermes: Hermes, id: string): Promise<Result<PendingProposal>> => {
  const listed = await hermes.pending.list()
  if (!listed.ok) return listed
  const found = listed.value.find((proposal) => proposal.id === id)
  return found ? ok(found) : err(new HermesError('not_found', 'This proposal no longer waits: it was decided in another place.'))
}

const decided = (kind: 'applied' | 'rejected', id: string) => (record: JournalRecord) => record.kind === kind && record.pendingId === id

export const approve = async (hermes: Hermes, id: string): Promise<Result<Change>> => {
  const found = await find(hermes, id)
  if (!found.ok) return found
  const approved = await hermes.pending.approve(id)
  return approved.ok ? ok({ message: `Approved: ${approved.value.message}`, acts: [decided('applied', id)] }) : approved
}

export const reject = async (hermes: Hermes, id: string): Promise<Result<Change>> => {
  const rejected = await hermes.pending.reject(id)
  if (!rejected.ok) return rejected
  return ok({ message: 'Rejected. Nothing was written; the journal keeps the proposal.', acts: [decided('rejected', id)] })
}

const editMemory = async (
  hermes: Hermes,
  { ops: [op, ...more], target, project }: Exclude<PendingProposal, { readonly target: 'skill' }>,
  content: string,
): Promise<Result<Change>> => {
  if (!op || more.length > 0 || op.action === 'remove') {
    return err(new HermesError('invalid', 'Only a proposal of one new text can be edited. Approve or reject this one.'))
  }
  const edited = { ...op, content }
  const written = await hermes.memoryStore({ project }).apply(target, edited, { origin: 'user', reason: 'A person edited a proposal.' })
  return written.ok ? ok({ message: `Written as edited. ${written.value.message}`, acts: [wroteEntry(edited, written.value)] }) : written
}

const writeSkill = async (hermes: Hermes, op: SkillOp, content: string, version: string | undefined) => {
  const store = hermes.skillStore()
  const expected = version === undefined ? {} : { version }
  if (op.action === 'create') return store.create({ name: op.name, category: op.category, content })
  const filePath = 'filePath' in op ? op.filePath : undefined
  return filePath === undefined ? store.edit(op.name, content, expected) : store.writeFile(op.name, filePath, content, expected)
}

const SKILL_FILE = 'SKILL.md'

const wroteSkill =
  (name: string, path: string) =>
  ({ kind, op }: JournalRecord): boolean =>
    kind === 'applied' &&
    (op?.action === 'create' || op?.action === 'edit' || op?.action === 'write_file') &&
    op.name === name &&
    ('filePath' in op ? op.filePath : SKILL_FILE) === path

const editSkill = async (
  hermes: Hermes,
  proposal: Extract<PendingProposal, { readonly target: 'skill' }>,
  content: string,
): Promise<Result<Change>> => {
  const [op] = proposal.ops
  const planned = await planOf(hermes, proposal)
  if (!op || !planned) return err(new HermesError('invalid', 'This proposal holds no change.'))
  if (!planned.ok) return planned
  if (proposal.files && proposal.files.length > 0)
    return err(new HermesError('invalid', 'This skill comes with files, which an edited text would leave out. Approve or reject it.'))
  if (!planned.value.next) return err(new HermesError('invalid', 'This proposal writes no text. Approve or reject it.'))
  const before = planned.value.current?.version
  const written = await writeSkill(hermes, op, content, before)
  if (!written.ok) return written
  const { skill, filePath, version } = written.value
  const message = `The skill '${skill.name}' was written as edited.`
  return ok({ message, acts: version === before ? [] : [wroteSkill(skill.name, filePath)] })
}

/** Writes a person's version of the proposed text, then drops the proposal. */
export const edit = async (hermes: Hermes, id: string, content: string): Promise<Result<Change>> => {
  const found = await find(hermes, id)
  if (!found.ok) return found
  const written = await (found.value.target === 'skill'
    ? editSkill(hermes, found.value, content)
    : editMemory(hermes, found.value, content))
  if (!written.ok) return written
  const dropped = await hermes.pending.reject(id)
  return dropped.ok ? ok({ ...written.value, acts: [...written.value.acts, decided('rejected', id)] }) : dropped
}
