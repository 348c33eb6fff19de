/** Carries out the steps of an undo over the storage of a transaction; each checks first that what it takes back is still as the write left it. */

import { Curator } from './curator/curator.ts'
import { rollBack } from './curator/rollback.ts'
import type { Home } from './home.ts'
import { homePending } from './home-pending.ts'
import { checkStanding } from './journal/check-standing.ts'
import { createJournal, type RecordStamps } from './journal/journal.ts'
import type { JournalRecord } from './journal/journal-record.ts'
import { openMemoryLog } from './journal/memory-log.ts'
import { openSkillLog } from './journal/skill-log.ts'
import type { UndoStep, WrittenFile } from './journal/undo-step.ts'
import { timeOf } from './memory/entry-time.ts'
import type { MemoryStore } from './memory/memory-store.ts'
import type { HermesEvent } from './session/hermes-event.ts'
import { HermesError } from './shared/hermes-error.ts'
import { err, ok, type Result } from './shared/result.ts'
import { patchSkillText } from './skills/patch/patch-skill.ts'
import type { SkillStore } from './skills/skill-store.ts'
import type { StorageBackend } from './storage/storage-backend.ts'
import { SKILL_FILE } from './storage/storage-paths.ts'

type StepOf<Kind extends UndoStep['kind']> = Extract<UndoStep, { readonly kind: Kind }>

const refuse = (message: string): Result<never> => err(new HermesError('rejected', message))
const changed = (what: string): Result<never> =>
  err(new HermesError('drift', `${what} has been changed since, so nothing was undone. 'hermes journal list' shows the later writes.`))
const preview = (text: string): string => `'${text.slice(0, 60)}'`

/** What a skill is archived at, to the second, if a program of Python did it. */
const TOLERANCE_MS = 60_000

/** Line ends and a final line break do not count. */
const isSameText = (one: string, other: string | undefined): boolean => {
  const plain = (text: string): string => text.replace(/\r\n?/g, '\n').trimEnd()
  return other !== undefined && plain(one) === plain(other)
}

/** The text that a write left; undefined if that cannot be told. */
const textAfter = (written: Exclude<WrittenFile, { readonly version: string }>, before: string | undefined): string | undefined => {
  if ('text' in written) return written.text
  const patched = before === undefined ? undefined : patchSkillText(before, written)
  return patched?.ok ? patched.value.result : undefined
}

/** The home as its curator uses it, over another storage. */
const curatorHome = (home: Home, storage: StorageBackend, stamps: RecordStamps) => ({
  ...home,
  ...stamps,
  actor: home.actor,
  storage,
  skills: home.openSkills({ storage }),
  usage: home.openUsage(undefined, storage),
})

export class UndoWork {
  readonly #home: Home
  readonly #over: StorageBackend
  readonly #stamps: RecordStamps
  readonly #reason: string
  readonly #records: readonly JournalRecord[]
  readonly #skills: SkillStore
  readonly #curator: Curator

  /** To be sent once the work is written. */
  readonly events: HermesEvent[] = []
  /** The step that could not be carried out. */
  failed: UndoStep | undefined

  /** `records`: what is undone. */
  constructor(home: Home, over: StorageBackend, records: readonly JournalRecord[]) {
    const at = home.clock()
    // One time for all its records, so that they count as one act.
    this.#stamps = { clock: () => at, createId: home.createId, undoes: records.map(({ id }) => id) }
    this.#reason = `Undo of ${records.map(({ id }) => id.slice(0, 8)).join(', ')}.`
    this.#home = home
    this.#over = over
    this.#records = records
    this.#skills = home.openSkills({ storage: over, log: async () => ok(openSkillLog(this.#stamps, home.actor)) })
    this.#curator = new Curator(curatorHome(home, over, this.#stamps))
  }

  #memory({ project }: { readonly project?: string | undefined }): MemoryStore {
    return this.#home.openMemory({
      storage: this.#over,
      project,
      emit: (event) => this.events.push(event),
      log: async () => ok(openMemoryLog(this.#stamps, this.#home.actor)),
    })
  }

  get #pending() {
    const stores = this.#home.storesOver(this.#over, this.#home.actor, (event) => this.events.push(event))
    return homePending(this.#home, (work) => work({ ...stores, journal: createJournal({ ...this.#stamps, storage: this.#over }) }))
  }

  /** Ends at the first step that fails. */
  async carryOut(steps: readonly UndoStep[]): Promise<Result<unknown>> {
    const checked = await checkStanding(this.#records, this.#over, this.#stamps)
    if (!checked.ok) return checked
    for (const step of steps) {
      const done = await this.#step(step)
      if (done.ok) continue
      this.failed = step
      return done
    }
    return ok(undefined)
  }

  #step(step: UndoStep): Promise<Result<unknown>> {
    switch (step.kind) {
      case 'memory':
        return this.#takeBack(step)
      case 'restore-entry':
        return this.#restoreEntry(step)
      case 'pin-entry':
        return this.#toggled('The pin of the entry', this.#memory(step)[step.pinned ? 'pin' : 'unpin'](step.target, step.text))
      case 'skill-file':
        return this.#skillFile(step)
      case 'archive-skill':
        return this.#archiveSkill(step)
      case 'restore-skill':
        return this.#restoreSkill(step)
      case 'pin-skill':
        return this.#toggled(`The pin of the skill '${step.name}'`, this.#curator[step.pinned ? 'pin' : 'unpin'](step.name))
      case 'pause':
        return this.#toggled('The pause of the curator', this.#curator[step.paused ? 'pause' : 'resume']())
      case 'put-back':
        return this.#putBack(step)
      case 'decide':
        return this.#decide(step)
      case 'rollback':
        return rollBack(curatorHome(this.#home, this.#over, this.#stamps), step.backup, {
          id: step.since,
          archived: step.archived,
          records: this.#records,
        })
      default:
        return Promise.resolve(ok(undefined))
    }
  }

  /** It has to change something: else it is not as the write left it. */
  async #toggled(what: string, change: Promise<Result<{ readonly changed: boolean }>>): Promise<Result<unknown>> {
    const done = await change
    return done.ok && !done.value.changed ? changed(what) : done
  }

  /** If it is not known whose words came before, they are trusted no more than what replaced them. */
  async #takeBack({ target, project, op, dates }: StepOf<'memory'>): Promise<Result<unknown>> {
    const memory = this.#memory({ project })
    const entries = await memory.current(target)
    if (!entries.ok) return entries
    if (op.action !== 'add' && !entries.value.includes(op.oldText)) return changed(`The entry ${preview(op.oldText)}`)
    const source =
      dates && (dates.origin === 'external' ? { origin: dates.origin } : { ...dates, origin: dates.origin, reason: this.#reason })
    return memory.takeBack(target, op.action === 'remove' ? op : { ...op, ...timeOf(dates) }, source)
  }

  async #restoreEntry({ target, project, text }: StepOf<'restore-entry'>): Promise<Result<unknown>> {
    const memory = this.#memory({ project })
    const entries = await memory.current(target)
    if (!entries.ok) return entries
    if (entries.value.includes(text)) return refuse(`The entry ${preview(text)} is there again already, so there is nothing to undo.`)
    const archived = await memory.archived(target)
    if (!archived.ok) return archived
    const found = archived.value.find((entry) => entry.text === text)
    if (found) return memory.restore(found.id)
    return err(new HermesError('not_found', `The entry ${preview(text)} is not in the archive of memory any more.`))
  }

  /** The version of the file, if it is still as the write left it; null if there is none. */
  async #unchanged({ name, filePath, written, before }: Omit<StepOf<'skill-file'>, 'kind'>): Promise<Result<string | null>> {
    const what = filePath === SKILL_FILE ? `The skill '${name}'` : `'${filePath}' of the skill '${name}'`
    const viewed = filePath === SKILL_FILE ? await this.#skills.view(name) : await this.#skills.view(name, filePath)
    if (!viewed.ok && viewed.error.code !== 'not_found') return viewed
    const present = viewed.ok ? viewed.value : undefined
    if (written === undefined) return present ? changed(what) : ok(null)
    if ('version' in written) {
      // A file that a merge put there may be gone.
      const isSame = present ? present.version === written.version : before === undefined && filePath !== SKILL_FILE
      return isSame ? ok(present?.version ?? null) : changed(what)
    }
    const isSame = present?.content !== undefined && isSameText(present.content, textAfter(written, before))
    return present && isSame ? ok(present.version) : changed(what)
  }

  async #skillFile(step: StepOf<'skill-file'>): Promise<Result<unknown>> {
    const unchanged = await this.#unchanged(step)
    if (!unchanged.ok) return unchanged
    const version = unchanged.value
    const { name, filePath, before } = step
    if (before !== undefined && version === null && filePath === SKILL_FILE) {
      const folder = name.split('/').at(-1) ?? name
      return this.#skills.create({ name: folder, category: name.slice(0, -folder.length - 1) || undefined, content: before })
    }
    if (before !== undefined)
      return filePath === SKILL_FILE
        ? this.#skills.edit(name, before, { version })
        : this.#skills.writeFile(name, filePath, before, { version })
    return version === null ? ok(undefined) : this.#skills.removeFile(name, filePath, { version })
  }

  /** A person may also take back what was installed. */
  async #archiveSkill({ name, written }: StepOf<'archive-skill'>): Promise<Result<unknown>> {
    const unchanged = written ? await this.#unchanged({ name, filePath: SKILL_FILE, written, before: undefined }) : ok(undefined)
    if (!unchanged.ok) return unchanged
    const archived = await this.#curator.archive(name, { reason: this.#reason })
    if (archived.ok || archived.error.code !== 'rejected' || !written) return archived
    const uninstalled = await this.#curator.archive(name, { reason: this.#reason, uninstall: true })
    return uninstalled.ok ? uninstalled : archived
  }

  async #restoreSkill({ name, at }: StepOf<'restore-skill'>): Promise<Result<unknown>> {
    const listed = await this.#skills.listArchived()
    if (!listed.ok) return listed
    const distance = ({ archivedAt }: { readonly archivedAt: number }): number => Math.abs(archivedAt - at)
    const [found] = listed.value.entries
      .filter((entry) => entry.name === name && distance(entry) < TOLERANCE_MS)
      .sort((a, b) => distance(a) - distance(b))
    if (found) return this.#curator.restore(found.id)
    return err(new HermesError('not_found', `The skill '${name}' of then is not in the archive any more.`))
  }

  /** A proposal for a skill is about its present file. */
  async #putBack({ proposal }: StepOf<'put-back'>): Promise<Result<unknown>> {
    const waiting = await this.#pending.list()
    if (!waiting.ok) return waiting
    if (waiting.value.some(({ id }) => id === proposal.id))
      return refuse("The proposal waits again already, so there is nothing to undo. 'hermes pending' asks about it.")
    if (proposal.target !== 'skill') return this.#pending.putBack(proposal)
    const [op] = proposal.ops
    const planned = op && (await this.#skills.plan(op))
    return this.#pending.putBack({ ...proposal, base: planned?.ok ? (planned.value.current?.version ?? null) : null })
  }

  async #decide({ id, verb }: StepOf<'decide'>): Promise<Result<unknown>> {
    const decided: Result<unknown> = await this.#pending[verb](id)
    if (decided.ok || decided.error.code !== 'not_found') return decided
    return refuse("The proposal has been decided since, so nothing was undone. 'hermes journal list' shows the later decision.")
  }
}
