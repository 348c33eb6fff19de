/** Adds the held proposals of an export to the pending queue. Proposals that are pending or were decided in this home stay unchanged. */
import { pendingId } from '../journal/pending.ts'
import { type PendingMemoryProposal, type PendingSkillProposal, pendingProposalSchema } from '../journal/pending-proposal.ts'
import { prepareOps } from '../memory/plan-change.ts'
import type { MemoryProposal } from '../proposal/review-proposal.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { textsIn } from '../shared/json-texts.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { PENDING_FOLDER, PENDING_SKILLS_FOLDER } from '../storage/storage-paths.ts'
import { redactSecrets } from '../threats/credentials/redact-credentials.ts'
import { addDocuments, createScanner, type ImportContext, type ImportScanner, invalidImport, parseDocument } from './import-context.ts'
import { admit, toProposal } from './judge-outside.ts'
import { isTime } from './newest-record.ts'

type Held = PendingMemoryProposal | PendingSkillProposal

const filesOf = (held: Held): PendingSkillProposal['files'] => (held.target === 'skill' ? held.files : undefined)

const NO_PROPOSAL = 'It is not a held proposal.'

const parse = async (path: string, bytes: Uint8Array): Promise<Result<Held>> => {
  const parsed = parseDocument<Held>(bytes, pendingProposalSchema, NO_PROPOSAL)
  if (!parsed.ok) return parsed
  const held = parsed.value
  if (!isTime(held.at)) return err(invalidImport(NO_PROPOSAL))
  const folder = held.target === 'skill' ? PENDING_SKILLS_FOLDER : PENDING_FOLDER
  const isOwn = held.id === (await pendingId(held.target, held.ops, filesOf(held))) && path === `${folder}/${held.id}.json`
  return isOwn ? ok(held) : err(invalidImport('Its id does not match its content.'))
}

const check = async (held: Held, scanner: ImportScanner): Promise<HermesError | undefined> => {
  if (held.target !== 'skill') {
    for (const op of held.ops) {
      const prepared = prepareOps(op)
      if (!prepared.ok) return prepared.error
    }
  } else {
    for (const text of [...textsIn(held.ops), ...textsIn(held.files ?? [])]) {
      const problem = await scanner.findCredential(text)
      if (problem) return problem
    }
  }
  for (const text of textsIn(held)) {
    const problem = await scanner.findThreat(text, held.target === 'skill' ? 'context' : 'strict')
    if (problem) return problem
  }
  return undefined
}

/** Of a proposal from outside only the operations are believed, not its reason, its quotes or its score. */
const admitHeld = async (path: string, held: Held, context: ImportContext): Promise<Result<boolean>> => {
  const shared = { part: 'pending', name: path, waits: true } as const
  if (held.target !== 'skill') {
    const { target } = held
    const [first, ...more] = held.ops.map((op): MemoryProposal => ({ target, ...toProposal(op) }))
    return first ? admit({ ...shared, proposals: [first, ...more] }, context) : ok(true)
  }
  const { ops, base } = held
  const [op] = ops
  if (op === undefined) return ok(true)
  const files = op.action === 'create' ? (held.files ?? []) : undefined
  return admit({ ...shared, proposals: [{ target: 'skill', ...toProposal(op) }], base, ...(files === undefined ? {} : { files }) }, context)
}

/** `decided`: ids of proposals that were approved or rejected according to the journal of this home. */
export const importPending = (context: ImportContext, decided: ReadonlySet<string>): Promise<Result<void>> => {
  const scanner = createScanner()
  return addDocuments<Held>(
    context,
    'pending',
    pendingProposalSchema,
    async (path, bytes) => {
      const held = await parse(path, bytes)
      if (!held.ok) return held
      const problem = await check(held.value, scanner)
      if (problem) return err(problem)
      const { ops, ...words } = held.value
      const files = filesOf(held.value)
      const stored = { ...redactSecrets(words), ops, ...(files === undefined ? {} : { files }) } as Held
      return ok(decided.has(held.value.id) ? undefined : stored)
    },
    (path, held) => admitHeld(path, held, context),
  )
}
