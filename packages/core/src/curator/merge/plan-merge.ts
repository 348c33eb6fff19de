/** What a merge writes and moves, on the library as it is then: refused if a file is not the one that the model saw, or if a skill is not the agent's any more. Pure. */
import type { HeldMerge, HeldMergeSource } from '../../journal/pending-proposal.ts'
import {
  describeProtection,
  type GrantedStep,
  judgeOwnership,
  type OwnershipMarks,
  protectionAgainst,
} from '../../ownership/skill-ownership.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import type { ArchivedSkill } from '../../skills/archive.ts'
import { parseSkillDocument } from '../../skills/parse-skill-document.ts'
import { decodeSkillText } from '../../skills/read-skill.ts'
import { SKILLS_FOLDER, toDocumentPath, toFolder } from '../../skills/skill-discovery.ts'
import { type SkillDocument, toSkillListing } from '../../skills/skill-document.ts'
import { documentVersion } from '../../storage/document-version.ts'
import type { Cut, DocumentContent, Plan } from '../../storage/storage-backend.ts'
import { readStoredRecord, writeStoredRecord } from '../../usage/stored-record.ts'
import { applyState, applyUsageEvent } from '../../usage/usage-record.ts'
import { decodeSidecar, encodeSidecar, USAGE_PATH } from '../../usage/usage-sidecar.ts'
import { ArchivePlanner } from '../plan-archive.ts'

/** The umbrella that a merge writes. */
interface Umbrella extends Omit<HeldMerge, 'sources'> {
  readonly name: string
  /** The version of its present text; null for a new one. */
  readonly base: string | null
  readonly content: string
  readonly files: readonly (DocumentContent & { readonly path: string })[]
  readonly model: string | undefined
}

export interface Merge {
  /** Undefined: the sources are archived as they are. */
  readonly umbrella: Umbrella | undefined
  readonly sources: readonly HeldMergeSource[]
}

/** The documents that a merge compares with what the model saw. */
export const pathsOf = ({ umbrella, sources }: Merge): readonly string[] => [
  `${SKILLS_FOLDER}/`,
  USAGE_PATH,
  ...(umbrella ? [toDocumentPath(umbrella)] : []),
  ...sources.flatMap((source) => source.files.map(({ path }) => toDocumentPath(source, path))),
]

export interface PlannedMerge {
  readonly plan: Required<Pick<Plan<unknown>, 'put' | 'move'>>
  /** By name. */
  readonly archived: ReadonlyMap<string, ArchivedSkill>
  /** The umbrella's former text. */
  readonly previous: string | undefined
}

export const drift = (message: string): Result<never> => err(new HermesError('drift', message))

export interface Facts {
  readonly marks: OwnershipMarks
  /** Lower case: the names of all live skills and their folders. */
  readonly taken: ReadonlySet<string>
  readonly now: number
}

const checkUmbrella = (cut: Cut, { name, path, base, files }: Umbrella, taken: Facts['taken']): Result<void> => {
  const folder = `${SKILLS_FOLDER}/${path}`
  const there = new Set(cut.list(folder).map((info) => info.path))
  const current = cut.document(toDocumentPath({ path }))
  if (base === null && (there.size > 0 || taken.has(name.toLowerCase())))
    return err(new HermesError('occupied', `There is a skill '${name}' by now, so nothing was merged into a new one.`))
  if (base !== null && (!current || documentVersion(current) !== base)) return drift(`'${name}' was changed or moved in the meantime.`)
  const occupied = files.find((file) => there.has(`${folder}/${file.path}`))
  return occupied ? drift(`'${name}' has a file '${occupied.path}' by now, which is not overwritten.`) : ok(undefined)
}

/** The SKILL.md of a source, if all its files are as they were merged. */
const asSeen = (cut: Cut, { path, files }: Pick<HeldMergeSource, 'path' | 'files'>): SkillDocument | undefined => {
  const documents = files.map((file) => ({ file, document: cut.document(toDocumentPath({ path }, file.path)) }))
  const isAsSeen = documents.every(({ file, document }) => document && documentVersion({ bytes: document.bytes }) === file.version)
  const text = isAsSeen && documents[0]?.document ? decodeSkillText(documents[0].document.bytes) : undefined
  return text === undefined ? undefined : parseSkillDocument(text, toFolder(path))
}

/** A refusal, such as `drift`, is a result; throws the error of a document that cannot be read. */
export const planMerge = (cut: Cut, { umbrella, sources }: Merge, { marks, taken, now }: Facts): Result<PlannedMerge> => {
  const sidecar = decodeSidecar(cut.document(USAGE_PATH))
  if (!sidecar.ok) return sidecar
  const records = new Map(sidecar.value)
  const protectionOf = (name: string, path: string, steps: readonly GrantedStep[]): string | undefined => {
    const ownership = judgeOwnership({ name, ...toFolder(path) }, readStoredRecord(records.get(name)), marks)
    const [protection] = steps.flatMap((step) => protectionAgainst(ownership, step) ?? [])
    return protection && describeProtection(protection, name)
  }
  const fit = umbrella ? checkUmbrella(cut, umbrella, taken) : ok(undefined)
  if (!fit.ok) return fit
  const guarded = umbrella && umbrella.base !== null ? protectionOf(umbrella.name, umbrella.path, ['merge']) : undefined
  if (guarded !== undefined) return err(new HermesError('rejected', guarded))

  const archive = new ArchivePlanner(cut.list(SKILLS_FOLDER))
  const archived = new Map<string, ArchivedSkill>()
  const move: (readonly [string, string])[] = []
  const put: Record<string, Uint8Array | DocumentContent> = {}
  for (const { name, path, reason, files } of sources) {
    const document = asSeen(cut, { path, files })
    if (document?.name !== name) return drift(`'${name}' was changed or moved in the meantime.`)
    const protection = protectionOf(name, path, ['merge', 'archive'])
    if (protection !== undefined) return err(new HermesError('rejected', protection))
    const { description } = toSkillListing(document)
    const planned = archive.plan({ skill: { ...toFolder(path), name, description }, reason, at: now, absorbedInto: umbrella?.name })
    if (!planned.ok) return planned
    archived.set(name, planned.value.archived)
    move.push(planned.value.move)
    Object.assign(put, planned.value.put)
    const record = readStoredRecord(records.get(name))
    if (record) records.set(name, writeStoredRecord(records.get(name), applyState(record, 'archived', now)))
  }
  let previous: string | undefined
  if (umbrella) {
    const { name, path, base, content, files, createdBy, model = null } = umbrella
    const current = cut.document(toDocumentPath({ path }))
    previous = current && decodeSkillText(current.bytes)
    put[toDocumentPath({ path })] = new TextEncoder().encode(content)
    for (const { path: inside, bytes, executable = false } of files) put[toDocumentPath({ path }, inside)] = { bytes, executable }
    const before = base === null ? undefined : records.get(name)
    const event = base === null ? ('create' as const) : ('patch' as const)
    records.set(name, writeStoredRecord(before, applyUsageEvent(readStoredRecord(before), event, now, { createdBy, model })))
  }
  return ok({ plan: { move, put: { ...put, [USAGE_PATH]: encodeSidecar(records) } }, archived, previous })
}
