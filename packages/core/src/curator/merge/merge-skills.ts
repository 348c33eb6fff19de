/**
 * Merges near-identical and too narrow skills into broader ones (seed 001, 3): groups → one question each → rules → gate → one update for each umbrella. The model
 * proposes, code and gate decide; the report says what was done.
 */

import { addCosts } from '../../model/add-costs.ts'
import type { HostModel } from '../../model/host-model.ts'
import type { LearningCost } from '../../model/learning-cost.ts'
import { callSafely } from '../../shared/call-safely.ts'
import type { HermesError } from '../../shared/hermes-error.ts'
import { ok, type Result } from '../../shared/result.ts'
import type { CuratorHome } from '../curator-home.ts'
import { AGEING_PRESETS } from '../curator-options.ts'
import type { ConsolidationReport, RefusedConsolidation } from '../report.ts'
import {
  type ConsolidationBudget,
  type ConsolidationQuestion,
  cannotBeShown,
  DEFAULT_CONSOLIDATION_BUDGET,
  openAsker,
  toQuestion,
} from './ask.ts'
import { type ConsolidationGroup, marksOfRest, readGroups, settleGroups } from './asked-groups.ts'
import { absorbedOp, carryOutMerge, filesBeside, type MergeOutcome, toMerge, toSource } from './carry-out.ts'
import { appliedRecords, askGate, type GatedChange, keepUnapproved, type MergeVerdict, toPruningChange, toUmbrellaChanges } from './gate.ts'
import { judgeMerge } from './judge-merge.ts'
import { type ConsolidationLibrary, readConsolidationLibrary, readShown } from './library.ts'
import { isAboutThePlan, loadAndPrepare } from './load.ts'
import { MergeTally } from './merge-report.ts'
import type { Merge } from './plan-merge.ts'
import { parseConsolidationAnswer } from './read-answer.ts'
import { type PlannedPruning, type PlannedUmbrella, planConsolidation, refusal } from './rules.ts'

export interface MergeOptions {
  readonly model: HostModel
  readonly budget?: Partial<ConsolidationBudget> | undefined
  /** Reports what would be done: the model is asked, and nothing is written. Default false. */
  readonly dryRun?: boolean | undefined
  /** Aborting ends it between two updates. */
  readonly signal?: AbortSignal | undefined
  /** Called before the first change; its error ends the pass. */
  readonly beforeChanges?: (() => Promise<Result<unknown>>) | undefined
  /** Called once with the cost of all model calls, whether they succeeded or not; not called if there were none. */
  readonly onCost?: ((cost: LearningCost) => void) | undefined
}

export interface MergedSkills {
  readonly report: ConsolidationReport
  /** What ended it early, such as an error of the storage, the gate or the backup; what the report says is done is done. */
  readonly failure: HermesError | undefined
}

type Archived = Extract<MergeOutcome, { done: true }>['archived']

class MergePass {
  readonly #home: CuratorHome
  readonly #options: MergeOptions
  readonly #asker: ReturnType<typeof openAsker>
  readonly #done = new MergeTally()
  readonly #costs: LearningCost[] = []

  constructor(home: CuratorHome, options: MergeOptions) {
    this.#home = home
    this.#options = options
    this.#asker = openAsker(options.model, { ...DEFAULT_CONSOLIDATION_BUDGET, ...options.budget }, options.signal, home.clock)
  }

  get #model(): string | undefined {
    return this.#asker.cost()?.model
  }

  async run(): Promise<MergedSkills> {
    try {
      const done = await this.#groups()
      const report = this.#done.toReport(this.#options.dryRun === true, this.#asker.spent())
      return { report, failure: done.ok ? undefined : done.error }
    } finally {
      this.#asker.end()
      const cost = addCosts([this.#asker.cost(), ...this.#costs])
      if (cost && this.#options.onCost) callSafely(this.#options.onCost, cost)
    }
  }

  async #groups(): Promise<Result<void>> {
    const groups = await readGroups(this.#home)
    if (!groups.ok) return groups
    this.#done.clusters.unchanged = groups.value.unchanged
    if (groups.value.problem) this.#done.problems.push(groups.value.problem)
    const waiting = [...groups.value.due]
    while (waiting.length > 0) {
      if (this.#options.signal?.aborted) this.#done.stopped = 'aborted'
      const [group] = waiting
      if (this.#done.stopped || !group) break
      const { asked } = this.#done.clusters
      const worked = await this.#group(group)
      if (!worked.ok) {
        this.#done.clusters.left += waiting.length - (this.#done.clusters.asked > asked ? 1 : 0)
        return worked
      }
      if (!this.#done.stopped || this.#done.clusters.asked > asked) waiting.shift()
    }
    this.#done.clusters.left += waiting.length
    return ok(undefined)
  }

  async #group(group: ConsolidationGroup): Promise<Result<void>> {
    // Read anew for each group: an earlier one may have created or moved skills.
    const library = await readConsolidationLibrary(this.#home)
    if (!library.ok) return library
    const skills = group.names.flatMap((name) => library.value.mergeable.get(name) ?? [])
    const read = await readShown(this.#home.storage, skills)
    if (!read.ok) return read
    const others = [...library.value.mergeable.values()].filter(({ name }) => !group.names.includes(name))
    // The limit of a full run, not the remaining budget: a group judged in part would count as asked about.
    const question = toQuestion(group.label, read.value, others, this.#asker.room)
    if (!question) {
      this.#done.clusters.left += 1
      if (read.value.length > 1) this.#done.problems.push(cannotBeShown(read.value))
      return ok(undefined)
    }
    const unshown = read.value.filter((skill) => !question.shown.includes(skill))
    if (unshown.length > 0) this.#done.problems.push(cannotBeShown(unshown))
    this.#done.stopped = this.#asker.whyNot(question.inputTokens)
    return this.#done.stopped ? ok(undefined) : this.#ask(group, question, library.value)
  }

  async #ask(group: ConsolidationGroup, question: ConsolidationQuestion, library: ConsolidationLibrary): Promise<Result<void>> {
    const { signal } = this.#options
    this.#done.clusters.asked += 1
    const said = await this.#asker.ask(question)
    if (!said.ok) {
      this.#done.stopped = said.error.code === 'timeout' ? (signal?.aborted ? 'aborted' : 'time') : 'model'
      this.#done.clusters.left += 1
      this.#done.problems.push(said.error)
      // A group that always fails must not block those after it.
      if (this.#done.stopped !== 'aborted') await this.#remember([group.mark], false)
      return ok(undefined)
    }
    const answer = parseConsolidationAnswer(said.value)
    if (!answer.ok) {
      const names = question.shown.map(({ name }) => name)
      this.#done.refused.push(refusal('answer', names, undefined, answer.error.message))
      await this.#remember([group.mark], false)
      return ok(undefined)
    }
    if (answer.value.prose !== '') this.#done.words.push(answer.value.prose)
    const [created, refused] = [this.#done.created.length, this.#done.refused.length]
    const shown = new Map(question.shown.map((skill) => [skill.name, skill]))
    const staleAfterDays = this.#home.options.curator.staleAfterDays ?? AGEING_PRESETS.daily.staleAfterDays
    const plan = planConsolidation({ answer: answer.value, shown, library, now: this.#home.clock(), staleAfterDays })
    this.#done.refused.push(...plan.refused)
    for (const work of [
      ...plan.umbrellas.map((umbrella) => () => this.#umbrella(umbrella)),
      ...plan.prunings.map((pruning) => () => this.#pruning(pruning)),
    ]) {
      const done = signal?.aborted ? ok(undefined) : await work()
      if (done.ok) continue
      // A gate that fails for this group every time would cost model calls every time.
      if (done.error.code === 'gate') await this.#remember([group.mark], false)
      return done
    }
    // Groups that were not carried out are asked about again.
    if (signal?.aborted) return ok(undefined)
    const names = [...question.shown.map(({ name }) => name), ...this.#done.created.slice(created)]
    const after = this.#options.dryRun ? [] : await marksOfRest(this.#home, names)
    await this.#remember([group.mark, ...after], this.#done.refused.length === refused)
    return ok(undefined)
  }

  async #remember(marks: readonly string[], answered: boolean): Promise<void> {
    if (this.#options.dryRun) return
    const written = await settleGroups(this.#home.storage, marks, answered, this.#home.clock())
    if (!written.ok) this.#done.problems.push(written.error)
  }

  async #umbrella(plan: PlannedUmbrella): Promise<Result<void>> {
    const about = { kind: 'consolidation', names: plan.sources.map(({ skill }) => skill.name), into: plan.name } as const
    const prepared = await loadAndPrepare(plan, this.#home.storage)
    if (!prepared.ok) {
      if (!isAboutThePlan(prepared.error)) return prepared
      this.#done.refused.push({ ...about, why: prepared.error.message })
      return ok(undefined)
    }
    const { folder, before, sources, written } = prepared.value
    const changes = toUmbrellaChanges(prepared.value)
    const asked = await judgeMerge(prepared.value, changes, this.#home, { ...this.#options, onCost: (cost) => this.#costs.push(cost) })
    if (!asked.ok) return asked
    const merge = toMerge(prepared.value, this.#model)
    const done = await this.#decide(changes, asked.value, merge, about, (archived) => [
      ...appliedRecords(changes, asked.value, before?.text, this.#model, filesBeside(merge, written)),
      ...[...archived].map(
        ([name, entry]) => ({ actor: 'curator', kind: 'applied', target: 'skill', ...absorbedOp(name, folder.name, entry) }) as const,
      ),
    ])
    if (!done.ok || !done.value) return done.ok ? ok(undefined) : done
    if (!before) this.#done.created.push(folder.name)
    for (const { skill, method, reason, files } of sources)
      this.#done.consolidated.push({
        name: skill.name,
        into: folder.name,
        method,
        reason,
        files,
        archivedAs: done.value.get(skill.name)?.id,
      })
    return ok(undefined)
  }

  /** Archives a skill without merging its content. */
  async #pruning(plan: PlannedPruning): Promise<Result<void>> {
    const { skill, reason } = plan
    const about = { kind: 'pruning', names: [skill.name], into: undefined } as const
    const change = toPruningChange(plan)
    const asked = await askGate(this.#home.gate, [change], [skill.text])
    if (!asked.ok) return asked
    const merge: Merge = { umbrella: undefined, sources: [toSource(skill, reason)] }
    const done = await this.#decide([change], asked.value, merge, about, () =>
      appliedRecords([change], asked.value, undefined, this.#model),
    )
    if (!done.ok || !done.value) return done.ok ? ok(undefined) : done
    this.#done.pruned.push({ name: skill.name, reason, archivedAs: done.value.get(skill.name)?.id })
    return ok(undefined)
  }

  /** Carries out what the gate approved, and keeps or refuses the rest. Resolves to what was archived; undefined: nothing was done. */
  async #decide(
    changes: readonly GatedChange[],
    verdict: MergeVerdict,
    merge: Merge,
    about: Pick<RefusedConsolidation, 'kind' | 'names' | 'into'>,
    records: Parameters<typeof carryOutMerge>[2],
  ): Promise<Result<Archived | undefined>> {
    const { names, into } = about
    if (verdict.verdict !== 'approve') {
      const kept = this.#options.dryRun ? ok(undefined) : await keepUnapproved(this.#home, changes, verdict, merge, this.#model)
      if (!kept.ok) this.#done.problems.push(kept.error)
      const pendingIds = kept.ok && kept.value !== undefined ? [kept.value] : []
      if (verdict.verdict === 'reject') this.#done.refused.push({ ...about, why: verdict.reason })
      else this.#done.held.push({ names, into, why: verdict.reason, pendingIds })
      return ok(undefined)
    }
    if (this.#options.dryRun) return ok(new Map())
    const ready = (await this.#options.beforeChanges?.()) ?? ok(undefined)
    if (!ready.ok) return ready
    const done = await carryOutMerge(this.#home, merge, records)
    if (!done.ok) return done
    if (!done.value.done) this.#done.refused.push({ ...about, why: done.value.why })
    return ok(done.value.done ? done.value.archived : undefined)
  }
}

/** `failure`: why it ended early, such as `unreadable` marks, or a failing storage, gate or backup; `report` tells what was merged until then, and of a failing model. */
export const mergeSkills = (home: CuratorHome, options: MergeOptions): Promise<MergedSkills> => new MergePass(home, options).run()
