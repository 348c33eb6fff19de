/** Adds the held proposals of an export to the pending queue. Proposals that are pending or were decided in this home stay unchanged. */
import { pendingId } from '../journal/pending.ts'
import { type PendingMemoryProposal, type PendingSkillProposal, pendingProposalSchema } from '../journal/pending-proposal.ts'
import { prepareOps } from '../memory/plan-change.ts'
import type { MemoryProposal } from '../proposal/review-proposal.ts'
import { DOCUMENT_LIMITS, parseBoundedJson } from '../shared/bounded-json.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { textsIn } from '../shared/json-texts.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { jsonBytes } from '../storage/json-document.ts'
import { orError, readDocument } from '../storage/one-document.ts'
import { PENDING_FOLDER, PENDING_SKILLS_FOLDER } from '../storage/storage-paths.ts'
import { redactSecrets } from '../threats/credentials/redact-credentials.ts'
import { isTime, partOf } from './export-manifest.ts'
import { admit, toProposal } from './held-items.ts'
import { endsImport, type Import, invalidImport } from './import-context.ts'

type Held = PendingMemoryProposal | PendingSkillProposal

const filesOf = (held: Held): PendingSkillProposal['files'] => (held.target === 'skill' ? held.files : undefined)

const NO_PROPOSAL = 'It is not a held proposal.'
const A_MERGE = 'It is a merge of skills, which is a decision about the home that it comes from.'

const parse = async (path: string, bytes: Uint8Array): Promise<Result<Held>> => {
  const data = parseBoundedJson(bytes, DOCUMENT_LIMITS)
  if (!data.ok) return err(new HermesError('unreadable', `It ${data.error.message}.`))
  const parsed = pendingProposalSchema.safeParse(data.value)
  if (!parsed.success || !isTime(parsed.data.at)) return err(invalidImport(NO_PROPOSAL))
  const held: Held = parsed.data
  if (held.target === 'skill' && held.merge) return err(invalidImport(A_MERGE))
  const folder = held.target === 'skill' ? PENDING_SKILLS_FOLDER : PENDING_FOLDER
  const isOwn = held.id === (await pendingId(held.target, held.ops, filesOf(held))) && path === `${folder}/${held.id}.json`
  return isOwn ? ok(held) : err(invalidImport('Its id does not match its content.'))
}

const check = async (running: Import, held: Held): Promise<HermesError | undefined> => {
  if (held.target !== 'skill') {
    for (const op of held.ops) {
      const prepared = prepareOps(op)
      if (!prepared.ok) return prepared.error
    }
  } else {
    for (const text of [...textsIn(held.ops), ...textsIn(held.files ?? [])]) {
      const problem = await running.findCredential(text)
      if (problem) return problem
    }
  }
  for (const text of textsIn(held)) {
    const problem = await running.findThreat(text, held.target === 'skill' ? 'context' : 'strict')
    if (problem) return problem
  }
  return undefined
}

/** Of a proposal from outside only the operations are believed, not its reason, its quotes or its score. */
const admitHeld = async (running: Import, name: string, held: Held): Promise<Result<boolean>> => {
  const shared = { part: 'pending', name, waits: true } as const
  if (held.target !== 'skill') {
    const { target } = held
    const [first, ...more] = held.ops.map((op): MemoryProposal => ({ target, ...toProposal(op) }))
    return first ? admit(running, { ...shared, proposals: [first, ...more] }) : ok(true)
  }
  const { ops, base } = held
  const [op] = ops
  if (op === undefined) return ok(true)
  const files = op.action === 'create' ? (held.files ?? []) : undefined
  return admit(running, { ...shared, proposals: [{ target: 'skill', ...toProposal(op) }], base, ...(files === undefined ? {} : { files }) })
}

/** Undefined if it is in this home, or was counted otherwise. */
const importOne = async (running: Import, path: string, bytes: Uint8Array): Promise<Result<Uint8Array | undefined>> => {
  const { over, known, tally } = running
  const held = await parse(path, bytes)
  const problem = held.ok ? await check(running, held.value) : held.error
  const there = held.ok && !problem ? await readDocument(over, path) : ok(undefined)
  if (!there.ok && endsImport(there.error)) return there
  if (!held.ok || problem || !there.ok) {
    const why = problem ?? (there.ok ? invalidImport(NO_PROPOSAL) : there.error)
    tally.refused('pending', path, why)
    return ok(undefined)
  }
  if (there.value || known.decided.has(held.value.id)) {
    tally.alreadyThere('pending')
    return ok(undefined)
  }
  const admitted = await admitHeld(running, path, held.value)
  if (!admitted.ok || !admitted.value) return admitted.ok ? ok(undefined) : admitted
  const { ops, ...words } = held.value
  const files = filesOf(held.value)
  const stored = { ...redactSecrets(words), ops, ...(files === undefined ? {} : { files }) } as Held
  tally.added('pending')
  return ok(jsonBytes<Held>(path, stored, pendingProposalSchema))
}

export const importPending = async (running: Import): Promise<Result<void>> => {
  const put: Record<string, Uint8Array> = {}
  for (const [path, { bytes }] of running.contents) {
    if (partOf(path) !== 'pending') continue
    const one = await orError(() => importOne(running, path, bytes))
    if (!one.ok) return one
    if (one.value) put[path] = one.value
  }
  if (Object.keys(put).length === 0) return ok(undefined)
  return running.over.update(Object.keys(put), () => ({ put, value: undefined }))
}
