/** Adds the held proposals of an export to the pending queue. Proposals that are pending or were decided in this home stay unchanged. */
import { pendingId } from '../journal/pending-id.ts'
import { type PendingMemoryProposal, type PendingSkillProposal, pendingProposalSchema } from '../journal/pending-proposal.ts'
import { redactSecrets } from '../journal/redact-secrets.ts'
import { prepareOps } from '../memory/prepare-ops.ts'
import { DOCUMENT_LIMITS, parseBoundedJson } from '../shared/bounded-json.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { updateJsonDocument } from '../storage/json-document.ts'
import { UNCHANGED } from '../storage/storage-backend.ts'
import { PENDING_FOLDER, PENDING_SKILLS_FOLDER } from '../storage/storage-paths.ts'
import { partOf } from './export-scope.ts'
import { endsImport, type ImportContext, invalidImport } from './import-context.ts'
import { createScanner, type ImportScanner } from './import-threats.ts'
import { isTime } from './newest-record.ts'
import { textsIn } from './texts-in.ts'

type Held = PendingMemoryProposal | PendingSkillProposal

const parse = async (path: string, bytes: Uint8Array): Promise<Result<Held>> => {
  const data = parseBoundedJson(bytes, DOCUMENT_LIMITS)
  if (!data.ok) return err(new HermesError('unreadable', `It ${data.error.message}.`))
  const parsed = pendingProposalSchema.safeParse(data.value)
  if (!parsed.success || !isTime(parsed.data.at)) return err(invalidImport('It is not a held proposal.'))
  const held = parsed.data
  const folder = held.target === 'skill' ? PENDING_SKILLS_FOLDER : PENDING_FOLDER
  const isOwn = held.id === (await pendingId(held.target, held.ops)) && path === `${folder}/${held.id}.json`
  return isOwn ? ok(held) : err(invalidImport('Its id does not match its content.'))
}

const check = async (held: Held, scanner: ImportScanner): Promise<HermesError | undefined> => {
  if (held.target !== 'skill') {
    for (const op of held.ops) {
      const prepared = prepareOps(op)
      if (!prepared.ok) return prepared.error
    }
  } else {
    for (const text of textsIn(held.ops)) {
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

/** `decided`: ids of proposals that were approved or rejected according to the journal of this home. */
export const importPending = async (context: ImportContext, decided: ReadonlySet<string>): Promise<Result<void>> => {
  const { storage, contents, trusted, tally } = context
  const scanner = createScanner()
  for (const [path, { bytes }] of contents) {
    if (partOf(path) !== 'pending') continue
    const held = await parse(path, bytes)
    const problem = held.ok ? await check(held.value, scanner) : held.error
    if (!held.ok || problem) {
      if (problem) tally.refused('pending', path, problem)
      continue
    }
    if (decided.has(held.value.id)) {
      tally.alreadyThere('pending')
      continue
    }
    const { ops, ...words } = held.value
    const stored = { ...redactSecrets(words), ops, ...(trusted ? {} : { origin: 'tool' }) } as Held
    let isNew = false
    const written = await updateJsonDocument<Held>(storage, path, pendingProposalSchema, (current) => {
      isNew = current === undefined
      return isNew ? stored : UNCHANGED
    })
    if (!written.ok && endsImport(written.error)) return written
    if (!written.ok) tally.refused('pending', path, written.error)
    else if (isNew) tally.added('pending')
    else tally.alreadyThere('pending')
  }
  return ok(undefined)
}
