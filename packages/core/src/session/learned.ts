/** What reviews have learned since the last result of a session, for the host to show on its next one. */
import { isConfirmation, type MemoryAction, type MemoryTarget } from '../memory/memory-op.ts'
import type { AppliedProposal, ReviewOutcome } from '../review/review-outcome.ts'
import type { SkillAction } from '../skills/skill-op.ts'
import type { RecordRedactor } from './record-redaction.ts'

export interface LearnedChange {
  readonly target: MemoryTarget | 'skill'
  readonly action: MemoryAction | SkillAction
  /** The entry: its new text, or for `remove` the text that named it. Absent for a skill, and where text from outside is part of it. */
  readonly content?: string
  /** Of the skill. */
  readonly name?: string
}

/** Credentials are redacted. */
export interface Learned {
  /** What reviews have written anew, oldest first; at most the newest 100 changes. */
  readonly learned: readonly LearnedChange[]
  /** Number of proposals of these reviews that wait for a person. */
  readonly held: number
}

const MAX_CHANGES = 100

const isNews = ({ proposal, outcome }: AppliedProposal): boolean =>
  proposal.target === 'skill' || outcome.target === 'skill' || !isConfirmation(proposal.op, outcome.facts?.[0])

/** Called for an event, so it never throws. */
const toChange = ({ proposal, outcome }: AppliedProposal): LearnedChange => {
  if (proposal.target === 'skill') {
    const { target, op } = proposal
    return { target, action: op.action, name: outcome.target === 'skill' ? outcome.name : op.name }
  }
  const { target, op } = proposal
  const facts = outcome.target === 'skill' ? [] : (outcome.facts ?? [])
  const origins = facts
    .flatMap(({ previous, content }) => [op.action === 'add' ? undefined : previous?.origin, content?.origin])
    .filter((origin) => origin !== undefined)
  const isOwn = origins.length > 0 && !origins.includes('tool')
  return { target, action: op.action, ...(isOwn ? { content: op.action === 'remove' ? op.oldText : op.content } : {}) }
}

export class LearnedNotes {
  #learned: readonly LearnedChange[] = []
  /** Proposals without an id are not in the queue, so each counts. */
  readonly #waiting = new Set<string | symbol>()

  /** `outcome`: as in the event `review-finished`; of other projects than the session's, nothing is told. */
  note({ applied, held }: ReviewOutcome, project?: string): void {
    const isOwn = ({ outcome }: AppliedProposal): boolean => outcome.target !== 'project' || outcome.project === project
    this.#learned = [...this.#learned, ...applied.filter((each) => isOwn(each) && isNews(each)).map(toChange)].slice(-MAX_CHANGES)
    for (const each of held) this.#waiting.add(each.pendingId ?? Symbol())
  }

  /** What was noted since the last call; undefined if nothing was. */
  take(): Learned | undefined {
    const [learned, held] = [this.#learned, this.#waiting.size]
    this.forget()
    return learned.length + held > 0 ? { learned, held } : undefined
  }

  redact(redactor: RecordRedactor): void {
    this.#learned = this.#learned.filter(
      ({ content = '', name = '' }) => !redactor.holds([content, name].map((text) => ({ role: 'user', text }))),
    )
  }

  forget(): void {
    this.#learned = []
    this.#waiting.clear()
  }
}
