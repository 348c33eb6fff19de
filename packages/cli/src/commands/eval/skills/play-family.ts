/**
 * Plays one family of tasks: in training the agent works, is corrected, and a review learns from it, through the real loop in a home in memory; then the held-out
 * tasks are done without skills, with what was learned, and with the skill that a person wrote.
 */
import { hostModel, withHermes } from '@hermes/ai-sdk'
import { createHermes, type Hermes, inMemoryBackend, type Result, type Session } from '@hermes/core'
import type { FamilyTask, SkillFamily } from '../../../../../../benchmarks/skills/families.ts'
import type { ProviderModel } from '../../../model/choose-model.ts'
import { DELIVER, type Desk, type Limit, type Meter, metered, playTurn, startMeter, tokensOf } from './agent.ts'
import { faultsOf } from './check-result.ts'

export const ARMS = ['none', 'learned', 'curated'] as const

export type Arm = (typeof ARMS)[number]

/** One held-out task in one arm. */
export interface TaskOutcome {
  readonly passed: boolean
  /** A skill was loaded. */
  readonly loaded: boolean
  readonly tokens: number
  /** What is wrong with the result. */
  readonly faults: readonly string[]
}

export interface FamilyOutcome {
  readonly family: string
  /** In each arm the same tasks, in the same order. */
  readonly tasks: Readonly<Record<Arm, readonly TaskOutcome[]>>
  readonly training: {
    readonly corrections: number
    /** Fewer than corrections if reviews failed, or if the agent used no tool: a review of skills reads work with tools. */
    readonly reviews: number
    /** Why reviews failed, such as an answer that cannot be read. */
    readonly failures: readonly string[]
    /** Skills in the home afterwards. */
    readonly skills: number
    /** Proposals that wait for a person. */
    readonly held: number
    readonly tokens: number
  }
}

export interface PlayOptions {
  readonly model: ProviderModel
  /** Counts all calls. */
  readonly limit: Limit
  readonly signal: AbortSignal
}

const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw result.error
  return result.value
}

/** Nothing is learned but skills. A review starts only when it is asked for. */
const openHome = (): Hermes =>
  createHermes({
    storage: inMemoryBackend(),
    nudge: { memoryInterval: 0, skillInterval: 1 },
    review: { start: 'manual' },
    // What it answers is ours.
    trustedTools: [DELIVER],
  })

const deskOf = (session: Session, model: ProviderModel, mayWrite: boolean): Desk => ({
  model: withHermes(model, session),
  // All are offered to the session, so that its prompt has the catalogue.
  tools: session.offerTools().filter(({ name }) => name.startsWith('skill') && (mayWrite || name !== 'skill_manage')),
  endsWithResult: !mayWrite,
})

/** Each task is a session of its own, with a review behind it if the person corrected the agent. */
const train = async ({ training }: SkillFamily, hermes: Hermes, model: ProviderModel, signal: AbortSignal) => {
  const failures: string[] = []
  let [corrections, reviews] = [0, 0]
  for (const [index, { task, check, correction = '' }] of training.entries()) {
    const session = hermes.session(`training-${index + 1}`)
    const desk = deskOf(session, model, true)
    const { result, messages } = await playTurn(task, [], desk)
    if (faultsOf(result, check).length === 0) continue
    corrections += 1
    await playTurn(correction, messages, desk)
    const run = await hermes.review({ model: hostModel(model), minTurns: 1, signal })
    // A model that answers what no review can read has learned nothing; one that does not answer says nothing.
    if (run.ok) reviews += run.value.kind === 'reviewed' ? 1 : 0
    else if (run.error.code === 'model') throw run.error
    else failures.push(run.error.message)
  }
  return { corrections, reviews, failures }
}

const doTask = async ({ task, check }: FamilyTask, desk: Desk, meter: Meter): Promise<TaskOutcome> => {
  const before = tokensOf(meter)
  const { result, loaded } = await playTurn(task, [], desk)
  const faults = faultsOf(result, check)
  return { passed: faults.length === 0, loaded: loaded.length > 0, tokens: tokensOf(meter) - before, faults }
}

/** The home is not changed by it. */
const doTasks = async (
  { heldOut }: SkillFamily,
  hermes: Hermes | undefined,
  { model, limit, signal }: PlayOptions,
): Promise<readonly TaskOutcome[]> => {
  const outcomes: TaskOutcome[] = []
  for (const [index, task] of heldOut.entries()) {
    const meter = startMeter()
    const counted = metered(model, limit, [meter], signal)
    const desk = hermes
      ? deskOf(hermes.session(`held-out-${index + 1}`), counted, false)
      : { model: counted, tools: [], endsWithResult: true }
    outcomes.push(await doTask(task, desk, meter))
  }
  return outcomes
}

/** Rejects if a call of the model fails: then nothing is known of the family. */
export const playFamily = async (family: SkillFamily, options: PlayOptions): Promise<FamilyOutcome> => {
  const { model, limit, signal } = options
  const [learned, curated] = [openHome(), openHome()]
  try {
    const training = startMeter()
    const counts = await train(family, learned, metered(model, limit, [training], signal), signal)
    const { skills } = must(await learned.skillStore().list())
    const held = must(await learned.pending.list())
    must(await curated.skillStore().create({ name: family.name, content: family.curated }))
    return {
      family: family.name,
      tasks: {
        none: await doTasks(family, undefined, options),
        learned: await doTasks(family, learned, options),
        curated: await doTasks(family, curated, options),
      },
      training: { ...counts, skills: skills.length, held: held.length, tokens: tokensOf(training) },
    }
  } finally {
    await Promise.all([learned.close(), curated.close()])
  }
}
