/** `hermes.remember` and `hermes.recall`: a conversation that the host gives, learned from now; and what the memory provider finds. */
import type { Home } from './home.ts'
import type { HermesLearn, LearnOptions } from './home-learn.ts'
import type { OfProject } from './home-memory.ts'
import type { MemoryAction, MemoryTarget } from './memory/memory-op.ts'
import { type ReviewProposal, reviewProposalSchema } from './proposal/review-proposal.ts'
import type { TurnMessage } from './proposal/turn-message.ts'
import type { ProviderConnection } from './provider/provider-connection.ts'
import type { ReviewOutcome } from './review/review-outcome.ts'
import { toDue } from './session/learn-batch.ts'
import type { ReviewRun } from './session/review-request.ts'
import { areMessages } from './session/session.ts'
import { splitTurns } from './session/turn.ts'
import { UNREAD_LIMITS } from './session/unread-turns.ts'
import { HermesError, type HermesErrorCode, messageOf } from './shared/hermes-error.ts'
import { err, ok, type Result } from './shared/result.ts'
import type { SkillAction } from './skills/skill-op.ts'
import { projectFault } from './storage/project.ts'

export interface RememberOptions extends LearnOptions, OfProject {
  /** Names the conversation in the journal. Default: a new id. */
  readonly sessionId?: string
}

export interface RecallOptions extends OfProject {
  /** The session that asks, whose own turns a provider may leave out. Default: none of them. */
  readonly sessionId?: string
}

/** A change that the review proposed. */
export interface RememberedChange {
  readonly target: MemoryTarget | 'skill'
  readonly action: MemoryAction | SkillAction
  /** The entry: its new text, or for `remove` the text that named it. For a skill, its name. */
  readonly content: string
}

/** Credentials are redacted. */
export interface Remembered {
  readonly written: readonly RememberedChange[]
  /** They wait for a person or the host's code: `hermes.pending` has them by `pendingId`. */
  readonly held: readonly (RememberedChange & { readonly reason: string; readonly pendingId?: string })[]
  /** What the gate, the schema of the profile or a store refused. Without its change where the model's answer was none. */
  readonly refused: readonly (Partial<RememberedChange> & { readonly reason: string })[]
}

const toChange = ({ target, op }: ReviewProposal): RememberedChange => ({
  target,
  action: op.action,
  content: 'name' in op ? op.name : op.action === 'remove' ? op.oldText : op.content,
})

/** Of what a proposer returned, which may be no proposal. */
const changeOf = (proposal: unknown): Partial<RememberedChange> => {
  const parsed = reviewProposalSchema.safeParse(proposal)
  return parsed.success ? toChange(parsed.data) : {}
}

const toRemembered = ({ applied, held, rejected, failed }: ReviewOutcome): Remembered => ({
  written: applied.map(({ proposal }) => toChange(proposal)),
  held: held.map(({ proposal, reason, pendingId }) => ({
    ...toChange(proposal),
    reason,
    ...(pendingId === undefined ? {} : { pendingId }),
  })),
  refused: [
    ...rejected.map(({ proposal, reason }) => ({ ...changeOf(proposal), reason })),
    ...failed.map(({ proposal, error }) => ({ ...toChange(proposal), reason: error.message })),
  ],
})

const NOTHING: Remembered = { written: [], held: [], refused: [] }

const refuse = (code: HermesErrorCode, message: string): Result<never> => err(new HermesError(code, message))

/** Only a review that has read the conversation is an answer. */
const answerTo = (run: ReviewRun): Result<Remembered> => {
  if (run.kind === 'reviewed') return ok(toRemembered(run.outcome))
  if (run.kind === 'nothing-due') return ok(NOTHING)
  if (run.kind === 'no-model')
    return refuse('model', 'There is no model to review with. Pass one, { model }, or set review.model in createHermes.')
  if (run.kind === 'busy')
    return refuse('locked', 'Another review of this home is running. Nothing was remembered; try again when it has ended.')
  return refuse('superseded', 'The review was cancelled, so nothing was remembered.')
}

const MAX_ID_CHARS = 100
const MAX_TURNS = 100

/** Each begins with the user's words; what comes before the first of them belongs to the first turn. */
const turnsOf = (messages: readonly TurnMessage[]): readonly (readonly TurnMessage[])[] => {
  const [first = [], ...more] = splitTurns(messages)
  const rest = more.reduce((sum, turn) => sum + turn.length, 0)
  return [messages.slice(0, messages.length - rest), ...more].filter((turn) => turn.length > 0 || first.length > 0)
}

const isOptions = (given: unknown): boolean => typeof given === 'object' && given !== null && !Array.isArray(given)

export class HomeRemember {
  readonly #home: Home
  readonly #learn: Pick<HermesLearn, 'batch'>
  readonly #provider: ProviderConnection | undefined
  /** One call after the other, since a home has one review at a time. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(home: Home, learn: Pick<HermesLearn, 'batch'>, provider: ProviderConnection | undefined) {
    this.#home = home
    this.#learn = learn
    this.#provider = provider
  }

  /** See `Hermes.remember`. */
  remember(messages: string | readonly TurnMessage[], options: RememberOptions = {}): Promise<Result<Remembered>> {
    const remembered = this.#last
      .then(() => this.#review(messages, options))
      .catch((cause: unknown) => refuse('invalid', `Nothing was remembered: ${messageOf(cause)}`))
    this.#last = remembered
    return remembered
  }

  async #review(given: string | readonly TurnMessage[], options: RememberOptions): Promise<Result<Remembered>> {
    const messages: readonly TurnMessage[] = typeof given === 'string' ? [{ role: 'user', text: given }] : given
    if (!areMessages(messages) || messages.length === 0)
      return refuse(
        'invalid',
        "hermes.remember takes what the user said, or a list of messages, each with a 'role' of user, assistant or tool and a 'text'.",
      )
    if (!isOptions(options)) return refuse('invalid', 'The options of hermes.remember must be an object, such as { model }.')
    const { createId, clock, intervals, options: own } = this.#home
    const { sessionId = createId(), project = own.project, ...how } = options
    const at = clock()
    const turns = turnsOf(messages).map((turn) => ({ sessionId, project, at, messages: turn }))
    if (turns.length > MAX_TURNS)
      return refuse(
        'over_limit',
        `The conversation has ${turns.length} turns, but one call reviews at most ${MAX_TURNS}. Call it for each part.`,
      )
    const { turns: fitting } = toDue(turns, intervals)
    if (fitting < turns.length)
      return refuse(
        'over_limit',
        `The conversation has more text than the ${UNREAD_LIMITS.chars} characters that one review reads. Call it for each part.`,
      )
    const learnId = `remember-${createId()}`.slice(0, MAX_ID_CHARS)
    const run = await this.#learn.batch({ learnId, turns, read: new Map() }, how)
    return run.ok ? answerTo(run.value) : run
  }

  /** See `Hermes.recall`. */
  async recall(query: string, options: RecallOptions = {}): Promise<Result<readonly string[]>> {
    if (typeof query !== 'string' || query.trim() === '')
      return refuse('empty', 'query is missing or blank: give what to look for, in words.')
    if (!isOptions(options)) return refuse('invalid', 'The options of hermes.recall must be an object, such as { sessionId }.')
    const { createId, options: own } = this.#home
    const { sessionId = createId(), project = own.project } = options
    const fault = project === undefined ? undefined : projectFault(project)
    if (fault !== undefined) return refuse('invalid', `hermes.recall: project ${fault}.`)
    const provider = this.#provider
    if (!provider)
      return refuse(
        'disabled',
        'There is no memory provider to ask. Set memory.provider in createHermes, such as recallProvider({ index }) of @hermes/recall; hermes.memory.search finds entries of memory.',
      )
    if (!provider.serves(project))
      return refuse(
        'provider',
        `Memory provider '${provider.name}' does not keep projects apart, so it is not asked in one. Choose one that does, such as @hermes/recall.`,
      )
    return ok(await provider.recall({ sessionId, ...(project === undefined ? {} : { project }), text: query, known: new Set() }))
  }
}
