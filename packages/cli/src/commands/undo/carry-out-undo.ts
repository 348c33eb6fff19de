/** Checks and carries out the steps of an undo. Every step keeps what another program writes meanwhile. */
import { err, type Hermes, HermesError, ok, type Result, type StorageBackend } from '@hermes/core'
import { forgetOrigin, returnOrigin } from '../skills/install/hub-lock.ts'
import { isSameText, textAfter } from './skill-text.ts'
import { checkRollback } from './skills-since.ts'
import type { UndoStep } from './undo-step.ts'

type StepOf<Kind extends UndoStep['kind']> = Extract<UndoStep, { readonly kind: Kind }>

const changed = (what: string): Result<never> =>
  err(new HermesError('drift', `${what} has been changed since, so nothing was undone. 'hermes journal list' shows the later writes.`))

const SKILL_FILE = 'SKILL.md'

interface PresentFile {
  readonly text: string | undefined
  readonly version: string
}

/** Undefined if there is none. */
const readSkillFile = async (hermes: Hermes, name: string, filePath: string): Promise<Result<PresentFile | undefined>> => {
  const store = hermes.skillStore()
  const viewed = filePath === SKILL_FILE ? await store.view(name) : await store.view(name, filePath)
  if (viewed.ok) return ok({ text: viewed.value.content, version: viewed.value.version })
  return viewed.error.code === 'not_found' ? ok(undefined) : viewed
}

/** The version of the file, if it is still as the write left it; null if the write left none. */
const unchangedSince = async (step: StepOf<'skill-file'>, hermes: Hermes): Promise<Result<string | null>> => {
  const { name, filePath, written } = step
  const what = filePath === SKILL_FILE ? `The skill '${name}'` : `'${filePath}' of the skill '${name}'`
  const present = await readSkillFile(hermes, name, filePath)
  if (!present.ok) return present
  if (written === undefined) return present.value ? changed(what) : ok(null)
  const expected = await textAfter(step, written)
  if (!present.value || expected === undefined || present.value.text === undefined) return changed(what)
  return isSameText(present.value.text, expected) ? ok(present.value.version) : changed(what)
}

const checkMemory = async ({ target, op }: StepOf<'memory'>, hermes: Hermes): Promise<Result<unknown>> => {
  const entries = await hermes.memoryStore().current(target)
  if (!entries.ok || op.action === 'add') return entries
  return entries.value.includes(op.oldText) ? ok(undefined) : changed(`The entry '${op.oldText.slice(0, 60)}'`)
}

/** The archived entry with this text. */
const findArchived = async ({ target, text }: StepOf<'restore-entry'>, hermes: Hermes): Promise<Result<string>> => {
  const store = hermes.memoryStore()
  const entries = await store.current(target)
  if (!entries.ok) return entries
  if (entries.value.includes(text))
    return err(new HermesError('rejected', `The entry '${text.slice(0, 60)}' is there again already, so there is nothing to undo.`))
  const archived = await store.archived(target)
  if (!archived.ok) return archived
  const found = archived.value.find((entry) => entry.text === text)
  return found
    ? ok(found.id)
    : err(new HermesError('not_found', `The entry '${text.slice(0, 60)}' is not in the archive of memory any more.`))
}

/** Archived entries are named after the time, to the second. */
const TOLERANCE_MS = 60_000

const findArchivedSkill = async ({ name, at }: StepOf<'restore-skill'>, hermes: Hermes): Promise<Result<string>> => {
  const listed = await hermes.curator.listArchived()
  if (!listed.ok) return listed
  const found = listed.value.entries
    .filter((entry) => entry.name === name && Math.abs(entry.archivedAt - at) < TOLERANCE_MS)
    .toSorted((a, b) => Math.abs(a.archivedAt - at) - Math.abs(b.archivedAt - at))[0]
  return found ? ok(found.id) : err(new HermesError('not_found', `The skill '${name}' of then is not in the archive any more.`))
}

const checkArchiving = async ({ name, written }: StepOf<'archive-skill'>, hermes: Hermes): Promise<Result<unknown>> =>
  written === undefined
    ? hermes.skillStore().view(name)
    : unchangedSince({ kind: 'skill-file', name, filePath: SKILL_FILE, written, before: undefined }, hermes)

const checkDecision = async ({ proposal }: StepOf<'put-back'>, hermes: Hermes): Promise<Result<unknown>> => {
  const waiting = await hermes.pending.list()
  if (!waiting.ok || !waiting.value.some(({ id }) => id === proposal.id)) return waiting
  return err(new HermesError('rejected', "The proposal waits again already, so there is nothing to undo. 'hermes pending' asks about it."))
}

const checkWaiting = async ({ id }: StepOf<'decide'>, hermes: Hermes): Promise<Result<unknown>> => {
  const waiting = await hermes.pending.list()
  if (!waiting.ok || waiting.value.some((proposal) => proposal.id === id)) return waiting
  const message = "The proposal has been decided since, so nothing was undone. 'hermes journal list' shows the later decision."
  return err(new HermesError('rejected', message))
}

/** Changes nothing. */
const checkStep = async (step: UndoStep, hermes: Hermes, storage: StorageBackend): Promise<Result<unknown>> => {
  switch (step.kind) {
    case 'memory':
      return checkMemory(step, hermes)
    case 'restore-entry':
      return findArchived(step, hermes)
    case 'skill-file':
      return unchangedSince(step, hermes)
    case 'archive-skill':
      return checkArchiving(step, hermes)
    case 'restore-skill':
      return findArchivedSkill(step, hermes)
    case 'decide':
      return checkWaiting(step, hermes)
    case 'rollback':
      return checkRollback(step, storage)
    default:
      return ok(undefined)
  }
}

/** What a step finds changed by those before it, and what it changes itself. */
const subjectsOf = (step: UndoStep): { readonly finds: readonly string[]; readonly leaves: readonly string[] } => {
  switch (step.kind) {
    case 'memory': {
      const { target, op } = step
      const finds = op.action === 'add' ? [] : [`${target} ${op.oldText}`]
      return { finds, leaves: op.action === 'remove' ? finds : [...finds, `${target} ${op.content}`] }
    }
    case 'restore-entry': {
      const entry = [`${step.target} ${step.text}`]
      return { finds: entry, leaves: entry }
    }
    case 'skill-file':
    case 'archive-skill':
    case 'restore-skill':
      return { finds: [`skill ${step.name}`], leaves: [`skill ${step.name}`] }
    default:
      return { finds: [], leaves: [] }
  }
}

/** Whether all steps are possible now; those that find what an earlier one leaves are checked when they are carried out. */
export const checkSteps = async (steps: readonly UndoStep[], hermes: Hermes, storage: StorageBackend): Promise<Result<unknown>> => {
  const [first, ...more] = steps
  if (first?.kind === 'put-back' && more.length === 0) return checkDecision(first, hermes)
  const left = new Set<string>()
  for (const step of steps) {
    const { finds, leaves } = subjectsOf(step)
    const possible = finds.some((subject) => left.has(subject)) ? ok(undefined) : await checkStep(step, hermes, storage)
    if (!possible.ok) return possible
    for (const subject of leaves) left.add(subject)
  }
  return ok(undefined)
}

const undoMemory = ({ target, op, dates }: StepOf<'memory'>, reason: string, hermes: Hermes): Promise<Result<unknown>> => {
  const { origin, firstSeenAt, lastConfirmedAt } = dates ?? { origin: 'external', firstSeenAt: 0, lastConfirmedAt: 0 }
  const source = origin === 'external' ? undefined : { origin, firstSeenAt, lastConfirmedAt, reason }
  return hermes.memoryStore().takeBack(target, op, source)
}

const undoSkillFile = async (step: StepOf<'skill-file'>, hermes: Hermes): Promise<Result<unknown>> => {
  const version = await unchangedSince(step, hermes)
  if (!version.ok) return version
  const expected = { version: version.value }
  const { name, filePath, before } = step
  const store = hermes.skillStore()
  if (before === undefined) return store.removeFile(name, filePath, expected)
  return filePath === SKILL_FILE ? store.edit(name, before, expected) : store.writeFile(name, filePath, before, expected)
}

const putBack = async ({ proposal }: StepOf<'put-back'>, hermes: Hermes): Promise<Result<unknown>> => {
  if (proposal.target !== 'skill') return hermes.pending.putBack(proposal)
  const [op] = proposal.ops
  const planned = op && (await hermes.skillStore().plan(op))
  return hermes.pending.putBack({ ...proposal, base: planned?.ok ? (planned.value.current?.version ?? null) : null })
}

const after = async (found: Result<string>, use: (id: string) => Promise<Result<unknown>>): Promise<Result<unknown>> =>
  found.ok ? use(found.value) : found

/** The curator leaves installed skills alone, but a person may take an installation back; its origin is then forgotten. */
const undoCreate = async (
  step: StepOf<'archive-skill'>,
  reason: string,
  hermes: Hermes,
  storage: StorageBackend,
): Promise<Result<unknown>> => {
  const { name } = step
  const checked = await checkArchiving(step, hermes)
  if (!checked.ok) return checked
  const archived = await hermes.curator.archive(name, { reason })
  const isPinned = (await hermes.usageStore().all()).get(name)?.pinned === true
  if (archived.ok || archived.error.code !== 'rejected' || isPinned || step.written === undefined) return archived
  const aside = await hermes.skillStore().archive(name, { reason })
  return aside.ok ? forgetOrigin(storage, name) : aside
}

/** Checks again, since the person may have been asked for a while. `reason`: for the journal. */
export const carryOut = async (step: UndoStep, reason: string, hermes: Hermes, storage: StorageBackend): Promise<Result<unknown>> => {
  const { curator } = hermes
  switch (step.kind) {
    case 'memory':
      return undoMemory(step, reason, hermes)
    case 'restore-entry':
      return after(await findArchived(step, hermes), (id) => hermes.memoryStore().restore(id))
    case 'pin-entry':
      return hermes.memoryStore()[step.pinned ? 'pin' : 'unpin'](step.target, step.text)
    case 'skill-file':
      return undoSkillFile(step, hermes)
    case 'archive-skill':
      return undoCreate(step, reason, hermes, storage)
    case 'restore-skill':
      return after(await findArchivedSkill(step, hermes), async (id) => {
        const restored = await curator.restore(id)
        return restored.ok ? returnOrigin(storage, id) : restored
      })
    case 'pin-skill':
      return curator[step.pinned ? 'pin' : 'unpin'](step.name)
    case 'pause':
      return step.paused ? curator.pause() : curator.resume()
    case 'decide':
      return hermes.pending[step.verb](step.id)
    case 'rollback': {
      const unchanged = await checkRollback(step, storage)
      return unchanged.ok ? curator.rollback(step.backup) : unchanged
    }
    case 'no-proposal':
      return ok(undefined)
    default:
      return putBack(step, hermes)
  }
}
