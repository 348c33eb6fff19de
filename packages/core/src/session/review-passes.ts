import type { HostModel } from '../model/host-model.ts'
import { holdsOutsideText, stampTranscript, stampTurns } from '../proposal/stamp-transcript.ts'
import type { Transcript } from '../proposal/transcript.ts'
import { isOwnMessage, type TurnMessage } from '../proposal/turn-message.ts'
import { holdsOwnWords, ownTranscript } from '../review/own-words-pass.ts'
import { isAboutSkills } from '../review/propose/review-proposer.ts'
import { MIN_INPUT_TOKENS } from '../review/review-limits.ts'
import { emptyOutcome, hasWritten, joinOutcomes, type ReviewOutcome } from '../review/review-outcome.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { DueReview, TurnToRead } from './due-review.ts'
import { type Pass, passRunner, type ReviewPassDeps } from './review-pass.ts'
import { aimOf, kindOfPass, reviewMode } from './review-settings.ts'
import { splitTurn, splitTurns } from './turn.ts'
import { toUnreadTurn } from './unread-turns.ts'

// What was said before the turns that a review reads, as far as the host still shows it: nothing is kept on disk for it.

/** Turns that are taken, and turns of the prompt that are looked at. */
const MOST_TURNS = 12
const MOST_LOOKED_AT = 60
/** Characters (UTF-16 units) of each of the two lists: the gate looks through all of it. */
const MOST_CHARS = 16_000

/** As the session record keeps them, so that what a host shows can be found among what was kept; credentials are redacted. */
const kept = (messages: readonly TurnMessage[]): readonly TurnMessage[] => toUnreadTurn(messages, false).messages

const ownWords = (messages: readonly TurnMessage[]): readonly TurnMessage[] => kept(messages.filter(isOwnMessage)).filter(isOwnMessage)

const keyOf = (words: readonly TurnMessage[]): string => words.map(({ text }) => text).join('\n')

const countKeys = (turns: readonly { readonly messages: readonly TurnMessage[] }[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const { messages } of turns) {
    for (const turn of splitTurns(messages)) {
      const key = keyOf(ownWords(splitTurn(turn).words))
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return counts
}

/** `newestFirst`: messages of each turn. The newest turns that fit as a whole, oldest first. */
const fitting = (newestFirst: readonly (readonly TurnMessage[])[]): readonly TurnMessage[] => {
  let left = MOST_CHARS
  const end = newestFirst.findIndex((messages) => {
    left -= messages.reduce((sum, { text }) => sum + text.length, 0)
    return left < 0
  })
  return newestFirst
    .slice(0, end < 0 ? undefined : end)
    .reverse()
    .flat()
}

interface EarlierTurns {
  /** What was said in them but for results of tools, oldest first. */
  readonly messages: readonly TurnMessage[]
  /** What the user said to begin them, without quoted text: the same whatever came from outside. */
  readonly ownWords: readonly TurnMessage[]
}

/**
 * `shown`: what the host shows for the newest turn. `unread`: the turns that the review reads, as they were kept. The newest turn is never an earlier one. A turn
 * that was cut otherwise when it was kept counts as earlier, and is then seen twice.
 */
export const earlierTurns = (
  shown: readonly TurnMessage[],
  unread: readonly { readonly messages: readonly TurnMessage[] }[],
): EarlierTurns => {
  const counts = countKeys(unread)
  const found: { readonly messages: readonly TurnMessage[]; readonly own: readonly TurnMessage[] }[] = []
  for (const [index, turn] of splitTurns(shown).slice(-MOST_LOOKED_AT).toReversed().entries()) {
    const own = ownWords(splitTurn(turn).words)
    const key = keyOf(own)
    const count = counts.get(key) ?? 0
    if (count > 0) counts.set(key, count - 1)
    else if (index > 0) found.push({ messages: kept(turn.filter(({ role }) => role !== 'tool')), own })
    if (found.length === MOST_TURNS) break
  }
  return { messages: fitting(found.map(({ messages }) => messages)), ownWords: fitting(found.map(({ own }) => own)) }
}

interface EarlierTranscripts {
  readonly all: Transcript
  readonly own: Transcript
}

/** As text from outside may have been in sight before them, only the user's own words count as somebody's. */
const stampEarlier = (earlier: EarlierTurns | undefined, trustedTools: ReadonlySet<string>): EarlierTranscripts => {
  const stamp = (messages: readonly TurnMessage[] = []): Transcript =>
    stampTranscript(messages, trustedTools, { tainted: true }).map((message, index) => ({ ...message, id: `earlier-${index + 1}` }))
  return { all: stamp(earlier?.messages), own: stamp(earlier?.ownWords) }
}

/** What trusted tools answered is marked already, by the session that knows them. */
const NO_NAMES: ReadonlySet<string> = new Set()

/** What the first pass did stays done, whatever the second one fails on. */
const withOutcome = ({ code, message, cause, details }: HermesError, first: ReviewOutcome): HermesError =>
  new HermesError(code, message, { cause, details: { ...details, ownWords: first } })

export const runReviewPasses = async (
  deps: ReviewPassDeps,
  due: DueReview,
  model: HostModel,
  stopping: AbortSignal,
): Promise<Result<ReviewOutcome>> => {
  const { settings, clock } = deps
  const { runPass, forgetRead } = passRunner(deps, due, model, stopping)
  const startedAt = clock()
  const { maxInputTokens, timeoutMs } = settings
  const stampedFor = (reads: (turn: TurnToRead) => boolean) =>
    stampTurns(
      due.conversation.filter((turn) => reads(turn)),
      NO_NAMES,
    )
  const own = ownTranscript(stampedFor(({ readers }) => readers.words || readers.skills))
  // The end of a short conversation: what came from outside waits for the next review that is due by count.
  if (!due.scope.everything && !due.scope.skills) {
    if (!holdsOwnWords(own)) return ok(emptyOutcome())
    const words = { kind: 'memory', mode: 'digest', transcript: own, earlier: [], sight: 'own' } as const
    const only = await runPass({ ...words, aimTokens: aimOf({ ...words, isFirstOfTwo: false }), maxInputTokens, timeoutMs })
    return only.ok ? ok(only.value.outcome) : only
  }
  const unread = stampedFor(({ outsideWaits }) => outsideWaits !== true)
  const mode = reviewMode(settings, due)
  const transcript = mode === 'replay' ? stampTranscript(due.shown, NO_NAMES, { tainted: due.tainted }) : unread
  const sight = holdsOutsideText(unread) || holdsOutsideText(transcript) ? 'outside' : 'own'
  const { words, everything: outside, skills } = due.scope
  // What came from outside is read for memory where that pass is due, and once.
  const kind = kindOfPass({ memory: sight === 'own' ? words : outside, skills })
  const ownKind = kindOfPass({ memory: words, skills })
  // What came before was reviewed for memory, and a replay shows it anyway.
  const isShown = isAboutSkills(kind) && mode === 'digest'
  const earlier = stampEarlier(isShown ? earlierTurns(due.shown, due.conversation) : undefined, NO_NAMES)
  const everything: Pass = {
    kind,
    mode,
    transcript,
    earlier: sight === 'own' ? earlier.own : earlier.all,
    aimTokens: aimOf({ kind, sight, transcript, isFirstOfTwo: false }),
    sight,
    maxInputTokens,
    timeoutMs,
  }
  if (sight === 'own' || !holdsOwnWords(own)) {
    const only = await runPass(everything)
    return only.ok ? ok(only.value.outcome) : only
  }
  const first = await runPass({
    ...everything,
    kind: ownKind,
    mode: 'digest',
    transcript: own,
    earlier: earlier.own,
    aimTokens: aimOf({ kind: ownKind, sight: 'own', transcript: own, isFirstOfTwo: true }),
    sight: 'own',
  })
  if (!first.ok) return first
  const { outcome: done, tokens } = first.value
  if (hasWritten(done)) {
    forgetRead()
  }
  // One deadline and one budget for both.
  const left = {
    timeoutMs: Math.max(1, timeoutMs - Math.max(0, clock() - startedAt)),
    maxInputTokens: Math.max(MIN_INPUT_TOKENS, maxInputTokens - tokens),
  }
  const second = await runPass({ ...everything, ...left, done })
  return second.ok ? ok(joinOutcomes(done, second.value.outcome)) : err(withOutcome(second.error, done))
}
