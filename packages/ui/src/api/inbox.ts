/** What waits for a person: each proposal as a diff, with its source and why it waits. */
import { type Hermes, type JournalRecord, type MemoryOp, ok, type PendingProposal, type Result } from '@hermes/core'
import type { SkillPlan } from '@hermes/core/skills'
import { describeMemoryOp, entriesAfter, findEntry, storeName } from './memory-changes.ts'
import type { ChangeView, InboxItem, InboxView } from './views.ts'

const textOf = (bytes: Uint8Array | undefined): string => (bytes ? new TextDecoder().decode(bytes) : '')

const SKILL_VERBS = {
  create: 'Create the skill',
  edit: 'Rewrite the skill',
  patch: 'Change the skill',
  write_file: 'Write a file of the skill',
  remove_file: 'Remove a file of the skill',
  archive: 'Archive the skill',
} as const

type Described = Pick<InboxItem, 'changes' | 'problem' | 'editable'>

const describeMemory = (store: string, ops: readonly MemoryOp[], entries: readonly string[]): Described => {
  const changes: ChangeView[] = []
  let problem: string | undefined
  let present = entries
  for (const op of ops) {
    const found = findEntry(present, op)
    problem ??= found.problem
    changes.push(describeMemoryOp(op, store, found.before))
    present = entriesAfter(present, op, found.before)
  }
  const [only, ...more] = ops
  return { changes, problem, editable: only && more.length === 0 && only.action !== 'remove' ? only.content : undefined }
}

type SkillProposal = Extract<PendingProposal, { readonly target: 'skill' }>

/** What approving it would write. */
export const planOf = async (hermes: Hermes, { ops }: SkillProposal): Promise<Result<SkillPlan> | undefined> => {
  const [op] = ops
  return op && hermes.skillStore().plan(op)
}

const describeFiles = (name: string, { files = [] }: SkillProposal): readonly ChangeView[] =>
  files.map(({ path, text = '(not text)' }) => ({ title: `${SKILL_VERBS.write_file} ${name} · ${path}`, before: '', after: text }))

const describeSkill = async (hermes: Hermes, proposal: SkillProposal): Promise<Described> => {
  const [op] = proposal.ops
  if (!op) return { changes: [], problem: 'It holds no change.', editable: undefined }
  const planned = await planOf(hermes, proposal)
  const file = 'filePath' in op && op.filePath !== undefined ? ` · ${op.filePath}` : ''
  const title = `${SKILL_VERBS[op.action]} ${op.name}${file}`
  const files = describeFiles(op.name, proposal)
  if (!planned?.ok) {
    const after = 'content' in op ? op.content : 'newText' in op ? op.newText : ''
    return {
      changes: [{ title, before: 'oldText' in op ? op.oldText : '', after }, ...files],
      problem: planned?.error.message,
      editable: undefined,
    }
  }
  const { current, next } = planned.value
  const drifted = op.action !== 'create' && op.action !== 'patch' && (current?.version ?? null) !== proposal.base
  return {
    changes: [{ title, before: textOf(current?.bytes), after: textOf(next) }, ...files],
    problem: drifted ? 'The file has changed since this was proposed.' : undefined,
    // Its files would be lost.
    editable: next && files.length === 0 ? textOf(next) : undefined,
  }
}

/** The review's pass is in the journal, not in the queue, which keeps the reason of the first pass that held the proposal. */
const readPasses = async (hermes: Hermes, since: number): Promise<ReadonlyMap<string, JournalRecord['pass']>> => {
  const held = await hermes.journal.list({ kind: 'held', since, limit: 2_000 })
  return new Map(
    held.ok
      ? held.value.toReversed().flatMap(({ pendingId, pass }) => (pendingId !== undefined && pass ? [[pendingId, pass] as const] : []))
      : [],
  )
}

export const readInbox = async (
  hermes: Hermes,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<Result<InboxView>> => {
  const listed = await hermes.pending.list()
  if (!listed.ok) return listed
  const page = listed.value.slice(offset, offset + limit)
  const [oldest] = page
  const passes = oldest ? await readPasses(hermes, oldest.at) : new Map<string, JournalRecord['pass']>()
  const items: InboxItem[] = []
  for (const proposal of page) {
    const { id, at, target, project, reason, rationale, origin, score, evidence, sessionId } = proposal
    const present = target === 'skill' ? undefined : await hermes.memoryStore({ project }).current(target)
    const described =
      proposal.target === 'skill'
        ? await describeSkill(hermes, proposal)
        : describeMemory(storeName(proposal.target, project), proposal.ops, present?.ok ? present.value : [])
    const problem = present && !present.ok ? present.error.message : described.problem
    const quotes = evidence.map(({ quote }) => quote)
    const model = proposal.target === 'skill' ? proposal.model : undefined
    const shown = { id, at, target, project, reason, rationale, origin, score, quotes, sessionId, model, pass: passes.get(id) }
    items.push({ ...shown, ...described, problem })
  }
  return ok({ total: listed.value.length, items })
}
