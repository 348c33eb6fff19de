/**
 * One merge as one transaction: journal → umbrella → read back → sources to the archive → counts → journal closed. A failure before the
 * first move undoes the umbrella; after a crash `recoverConsolidation` settles it.
 */

import { beginArchiving, closeMergeIntent, type MergeIntent, openMergeIntent } from '../../curator/merge-intent.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { sha256Of } from '../../shared/sha256.ts'
import { SKILL_FILE, toDocumentPath } from '../../skills/skill-discovery.ts'
import { documentVersion } from '../../storage/document-version.ts'
import { readDocument } from '../../storage/one-document.ts'
import type { PreparedUmbrella } from '../plan/prepare.ts'
import { type ArchivedSources, archiveSources, CHANGED_MEANWHILE, findProtected, type MergeDeps } from './archive.ts'
import { recordUmbrella } from './recover.ts'
import { findUnwritten, undoWrites } from './undo.ts'

/** `done: false`: nothing was changed; the reason is given. */
export type MergeOutcome = { readonly done: false; readonly why: string } | ({ readonly done: true } & ArchivedSources)

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

const bytesOf = ({ writes }: PreparedUmbrella, path: string): Uint8Array =>
  writes.find(({ filePath }) => filePath === path)?.bytes ?? new Uint8Array()

const toIntent = async (prepared: PreparedUmbrella, startedAt: number, model: string | undefined): Promise<MergeIntent> => {
  const { folder, before, content, writes, sources, createdBy } = prepared
  const files = await Promise.all(
    writes.map(async ({ filePath, bytes }) => ({ path: toDocumentPath(folder, filePath), after: await sha256Of(bytes), before: null })),
  )
  const main = { path: toDocumentPath(folder), after: await sha256Of(encode(content)), before: before?.text ?? null }
  return {
    version: 1,
    startedAt,
    phase: 'writing',
    umbrella: { name: folder.name, path: folder.path, isNew: before === undefined, createdBy, ...(model === undefined ? {} : { model }) },
    writes: [main, ...files],
    sources: await Promise.all(
      sources.map(async ({ skill, reason, carried }) => ({
        name: skill.name,
        path: skill.path,
        files: [
          { path: SKILL_FILE, sha256: await sha256Of(skill.bytes) },
          ...(await Promise.all(carried.map(async ({ from, to }) => ({ path: from, sha256: await sha256Of(bytesOf(prepared, to)) })))),
        ],
        reason: reason === '' ? `merged into '${folder.name}'` : reason,
      })),
    ),
  }
}

/** Checks that every skill concerned is as it was read and still the agent's; returns the reason if not. */
const whyNotNow = async (prepared: PreparedUmbrella, deps: MergeDeps): Promise<Result<string | undefined>> => {
  const { folder, before, sources } = prepared
  const concerned = [...sources.map(({ skill }) => skill), ...(before ? [{ ...folder, version: before.version }] : [])]
  for (const skill of concerned) {
    const read = await readDocument(deps.storage, toDocumentPath(skill))
    if (!read.ok) return read
    if (!read.value || documentVersion(read.value) !== skill.version) return ok(`'${skill.name}' was changed or moved in the meantime.`)
  }
  const found = await findProtected(
    sources.map(({ skill }) => skill),
    deps,
  )
  if (!found.ok) return found
  const umbrella = before ? await findProtected([{ name: folder.name, path: folder.path }], deps, ['merge']) : ok(new Map<string, string>())
  return umbrella.ok ? ok([...found.value.values(), ...umbrella.value.values()][0]) : umbrella
}

/** For an existing skill the files are written first, so that its text never points to missing files. */
const write = async ({ folder, before, content, writes }: PreparedUmbrella, { skills }: MergeDeps): Promise<Result<unknown>> => {
  const address = `${folder.path}/${SKILL_FILE}`
  const main = () =>
    before
      ? skills.edit(address, content, { version: before.version })
      : skills.create({ name: folder.name, category: folder.category, content })
  if (!before) {
    const created = await main()
    if (!created.ok) return created
  }
  for (const { filePath, bytes } of writes) {
    const written = await skills.writeFile(address, filePath, bytes, { version: null })
    if (!written.ok) return written
  }
  return before && before.text !== content ? main() : ok(undefined)
}

const verify = async (intent: MergeIntent, { storage }: MergeDeps): Promise<Result<undefined>> => {
  const unwritten = await findUnwritten(storage, intent)
  if (!unwritten.ok || unwritten.value === undefined) return unwritten.ok ? ok(undefined) : unwritten
  const path = unwritten.value
  return err(new HermesError('drift', `'${path}' does not contain what was written to it.`, { details: { path } }))
}

/** Refusals that concern this umbrella only; any other error comes from the storage. */
const OWN_REFUSALS: readonly HermesError['code'][] = [
  'drift',
  'occupied',
  'invalid',
  'invalid_path',
  'over_limit',
  'not_found',
  'ambiguous',
  'unreadable',
]

/** Undoes the umbrella; if that fails too, the journal is kept and the next start settles it. */
const giveUp = async (intent: MergeIntent, error: HermesError, { storage }: MergeDeps): Promise<Result<MergeOutcome>> => {
  const undone = await undoWrites(storage, intent)
  if (!undone.ok) return err(error)
  const closed = await closeMergeIntent(storage, intent)
  if (!closed.ok) return err(error)
  return OWN_REFUSALS.includes(error.code) ? ok({ done: false, why: error.message }) : err(error)
}

/** An error comes from the storage and ends the run; the journal of the merge is kept for the next start. */
export const mergeSkills = async (prepared: PreparedUmbrella, deps: MergeDeps): Promise<Result<MergeOutcome>> => {
  const { storage, clock } = deps
  const why = await whyNotNow(prepared, deps)
  if (!why.ok) return why
  if (why.value !== undefined) return ok({ done: false, why: why.value })
  const intent = await toIntent(prepared, clock(), deps.model?.())
  const opened = await openMergeIntent(storage, intent)
  if (!opened.ok) return opened

  const written = await write(prepared, deps)
  const verified = written.ok ? await verify(intent, deps) : written
  if (!verified.ok) return giveUp(intent, verified.error, deps)
  const begun = await beginArchiving(storage, intent)
  if (!begun.ok) return begun

  const moved = await archiveSources(intent.sources, intent.umbrella.path, deps)
  if (!moved.ok) return moved
  const [whyKept] = moved.value.kept.values()
  if (moved.value.archived.size === 0) return giveUp(intent, new HermesError('drift', whyKept ?? CHANGED_MEANWHILE), deps)
  // Without its record a new umbrella would have no owner: then the next start finishes it.
  const recorded = await recordUmbrella(intent, deps)
  if (!recorded.ok) return recorded
  const closed = await closeMergeIntent(storage, intent)
  return closed.ok ? ok({ done: true, ...moved.value }) : closed
}
