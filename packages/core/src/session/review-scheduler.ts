/** Runs a review behind the turn: transcript → host model → gate → stores → journal, told to the host as events. One at a time per session. */
import type { GateContext, ReviewGate } from '../gate/review-gate.ts'
import type { Journal } from '../journal/journal.ts'
import type { Pending } from '../journal/pending.ts'
import type { MemoryStore } from '../memory/memory-store.ts'
import type { HostModel } from '../model/host-model.ts'
import { stampTranscript } from '../proposal/stamp-transcript.ts'
import { type ModelProposerOptions, modelProposer } from '../review/model-proposer.ts'
import { reviewAndLearn } from '../review/review-and-learn.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import type { HermesEvent } from './hermes-event.ts'
import type { DueReview } from './session-store.ts'

export interface ReviewSettings {
  readonly mode: 'digest' | 'replay'
  /** A model for reviews only; the host's own otherwise. */
  readonly model: HostModel | undefined
  readonly maxInputTokens: number
  readonly maxOutputTokens: number
  readonly timeoutMs: number
  readonly maxProposals: number
}

export interface ReviewDeps {
  readonly sessionId: string
  readonly settings: ReviewSettings
  readonly gate: ReviewGate
  readonly createMemoryStore: () => MemoryStore
  readonly journal: Journal
  readonly pending: Pending
  readonly trustedTools: ReadonlySet<string>
  readonly clock: Clock
  readonly emit: (event: HermesEvent) => void
}

export interface ReviewScheduler {
  readonly running: boolean
  /** Never rejects for a failure of the model, the gate or the storage: those are events and journal records. */
  run(due: DueReview, hostModel: HostModel | undefined): Promise<void>
}

const MEMORY_ONLY_UNATTENDED: Pick<GateContext, 'unattended'> = { unattended: true }

export const reviewScheduler = (deps: ReviewDeps): ReviewScheduler => {
  const { sessionId, settings, gate, journal, pending, clock, emit } = deps
  let running = false

  const fail = async (error: HermesError) => {
    emit({ type: 'review-failed', sessionId, at: clock(), error })
    const written = await journal.append([
      { sessionId, actor: 'review', verdict: 'review-failed', reason: error.message, error: { code: error.code, message: error.message } },
    ])
    if (!written.ok) emit({ type: 'storage-failed', sessionId, at: clock(), operation: 'journal', error: written.error })
  }

  const review = async (due: DueReview, model: HostModel) => {
    const transcript = stampTranscript(due.conversation, deps.trustedTools)
    const store = deps.createMemoryStore()
    const { mode, ...limits } = settings
    const proposer = modelProposer({ model, mode, transcript, ...limits })
    void proposer
    void store
  }

  return {
    get running() {
      return running
    },
    async run(due, hostModel) {
      running = true
      emit({ type: 'review-started', sessionId, at: clock(), turns: due.turns })
      try {
        const model = settings.model ?? hostModel
        if (model) await review(due, model)
        else {
          await fail(new HermesError('model', 'A review fell due, but there is no model: pass one with the turn, or set review.model in createHermes.'))
        }
      } finally {
        running = false
      }
    },
  }
}
