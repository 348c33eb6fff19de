/** Adds the held proposals of an export to those that wait in this home. */
import { pendingId, pendingPath } from '../journal/pending.ts'
import { type PendingMemoryProposal, type PendingSkillProposal, pendingProposalSchema } from '../journal/pending-proposal.ts'
import { prepareOps } from '../memory/plan-change.ts'
import type { MemoryProposal } from '../proposal/review-proposal.ts'
import { DOCUMENT_LIMITS, parseBoundedJson } from '../shared/bounded-json.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { textsIn } from '../shared/json-texts.ts'
import { jsonBytes } from '../storage/json-document.ts'
import { readDocument } from '../storage/one-document.ts'
import { projectFault } from '../storage/project.ts'
import { redactSecrets } from '../threats/credentials/redact-credentials.ts'
import { isTime, partOf } from './export-manifest.ts'
import { admit, toProposal } from './held-items.ts'
import { type Import, invalidImport, must } from './import-context.ts'

type Held = PendingMemoryProposal | PendingSkillProposal

const filesOf = (held: Held): PendingSkillProposal['files'] => (held.target === 'skill' ? held.files : undefined)

const A_MERGE = 'It is a merge of skills, which is a decision about the home that it comes from.'

const parse = async (path: string, bytes: Uint8Array): Promise<Held> => {
  const data = parseBoundedJson(bytes, DOCUMENT_LIMITS)
  if (!data.ok) throw new HermesError('unreadable', `It ${data.error.message}.`)
  const parsed = pendingProposalSchema.safeParse(data.value)
  if (!parsed.success || !isTime(parsed.data.at)) throw invalidImport('It is not a held proposal.')
  const held: Held = parsed.data
  if (held.target === 'skill' && held.merge) throw invalidImport(A_MERGE)
  const { project } = held
  const isOfNone = project === undefined ? held.target === 'project' : projectFault(project) !== undefined
  if (isOfNone) throw invalidImport('It names no project that there can be.')
  const isOwn =
    held.id === (await pendingId(held.target, held.ops, { files: filesOf(held), project: held.project })) && path === pendingPath(held)
  if (!isOwn) throw invalidImport('Its id does not match its content.')
  return held
}

const check = async (running: Import, held: Held): Promise<void> => {
  if (held.target === 'skill') {
    for (const text of [...textsIn(held.ops), ...textsIn(held.files ?? [])]) await running.refuseCredential(text)
  } else for (const op of held.ops) must(prepareOps(op))
  for (const text of textsIn(held)) await running.refuseThreat(text, held.target === 'skill' ? 'context' : 'strict')
}

/** Of a proposal from outside only the operations are believed, not its reason, its quotes or its score. */
const admitHeld = async (running: Import, name: string, held: Held): Promise<boolean> => {
  const shared = { part: 'pending', name, waits: true } as const
  if (held.target !== 'skill') {
    const { target, project } = held
    const [first, ...more] = held.ops.map((op): MemoryProposal => ({ target, ...toProposal(op) }))
    return first ? admit(running, { ...shared, project, proposals: [first, ...more] }) : true
  }
  const { ops, base } = held
  const [op] = ops
  if (op === undefined) return true
  const files = op.action === 'create' ? (held.files ?? []) : undefined
  return admit(running, { ...shared, proposals: [{ target: 'skill', ...toProposal(op) }], base, ...(files === undefined ? {} : { files }) })
}

/** Proposals that wait or were decided in this home stay unchanged. */
export const importPending = async (running: Import): Promise<void> => {
  const { over, known, tally } = running
  for (const [path, { bytes }] of running.contents) {
    if (partOf(path) !== 'pending') continue
    await running.item('pending', path, async () => {
      const held = await parse(path, bytes)
      await check(running, held)
      const there = must(await readDocument(over, path))
      if (there || known.decided.has(held.id)) return tally.alreadyThere('pending')
      if (!(await admitHeld(running, path, held))) return
      const { ops, ...words } = held
      const files = filesOf(held)
      const stored = { ...redactSecrets(words), ops, ...(files === undefined ? {} : { files }) } as Held
      running.held[path] = jsonBytes<Held>(path, stored, pendingProposalSchema)
      tally.added('pending')
    })
  }
}
