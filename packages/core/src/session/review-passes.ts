import type { HostModel } from '../model/host-model.ts'
import { countUnits, UNITS_PER_TOKEN } from '../model/token-estimate.ts'
import { holdsOutsideText, stampTranscript, stampTurns } from '../proposal/stamp-transcript.ts'
import type { Transcript } from '../proposal/transcript.ts'
import { isOwnMessage, type TurnMessage } from '../proposal/turn-message.ts'
import { holdsOwnWords, ownTranscript } from '../review/own-words-pass.ts'
import type { ReviewKind } from '../review/propose/review-proposer.ts'
import { MIN_INPUT_TOKENS } from '../review/review-limits.ts'
import { emptyOutcome, hasWritten, joinOutcomes, type ReviewOutcome } from '../review/review-outcome.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { type Pass, passRunner, type ReviewPassDeps } from './review-pass.ts'
import { type DueReview, kindOfPass, type ReviewSettings, type TurnToRead } from './review-request.ts'
import { splitTurn, splitTurns } from './turn.ts'
import { isShownIn, toUnreadTurn } from './unread-turns.ts'

/** Maximum number of earlier turns taken, and of turns of the prompt examined. */
const MOST_TURNS = 12
const MOST_LOOKED_AT = 60
/** Maximum characters (UTF-16 units) of each of the two lists, since the gate searches all of it. */
const MOST_CHARS = 16_000

/** Messages in the form of the session record, so that shown and stored messages can be compared; credentials are redacted. */
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

/** Returns the newest turns that fit whole, oldest first. `newestFirst`: messages of each turn. */
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
  /** Messages of the earlier turns without tool results, oldest first. */
  readonly messages: readonly TurnMessage[]
  /** The user's words that began those turns, without quoted text: independent of text from outside. */
  readonly ownWords: readonly TurnMessage[]
}

/**
 * The turns before those that a review reads, as far as the host still shows them; they are not stored. `shown`: what the host shows for the newest turn.
 * `unread`: the turns that the review reads, in stored form. The newest turn is never an earlier one. A turn that was stored with other cuts counts as
 * earlier, and appears twice.
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

/** The session has marked the results of trusted tools. */
const NO_NAMES: ReadonlySet<string> = new Set()

/** Text from outside may have been in sight before these turns, so only the user's own words are trusted. */
const stampEarlier = (earlier: EarlierTurns | undefined): EarlierTranscripts => {
  const stamp = (messages: readonly TurnMessage[] = []): Transcript =>
    stampTranscript(messages, NO_NAMES, { tainted: true }).map((message, index) => ({ ...message, id: `earlier-${index + 1}` }))
  return { all: stamp(earlier?.messages), own: stamp(earlier?.ownWords) }
}

/** A replay sends the host's last prompt again, so that prompt must contain the turns to review and fit the budget. Otherwise the review reads a digest. */
export const reviewMode = ({ mode, model, maxInputTokens }: ReviewSettings, { conversation, shown }: DueReview): ReviewSettings['mode'] => {
  if (mode === 'digest' || model !== undefined) return 'digest'
  const units = shown.reduce((sum, message) => sum + countUnits(message.text), 0)
  const unread = conversation.flatMap(({ messages }) => messages)
  return units / UNITS_PER_TOKEN <= maxInputTokens && isShownIn(unread, shown) ? 'replay' : 'digest'
}

interface PassAim {
  readonly kind: ReviewKind
  readonly sight: 'own' | 'outside'
  readonly transcript: Transcript
  /** True if a second pass over everything follows. */
  readonly isFirstOfTwo: boolean
}

/**
 * Estimated tokens of the request without skills. The user's words are never shortened. Skill reviews are frequent and about recent work, so they are shorter
 * than memory reviews, which are the only ones to read tool results.
 */
const AIM_TOKENS = { ownWords: 2_400, skills: 5_000, results: 9_000 } as const

/** True for results of trusted tools: they count as the agent's own and cannot be summarised in a few words. */
const holdsResults = (transcript: Transcript): boolean => transcript.some(({ role, origin }) => role === 'tool' && origin !== 'tool')

/** Request length in estimated tokens above which a pass shortens long messages. */
export const aimOf = ({ kind, sight, transcript, isFirstOfTwo }: PassAim): number => {
  const isWork = sight === 'outside' || holdsResults(transcript)
  if (!isWork && (isFirstOfTwo || kind === 'memory')) return AIM_TOKENS.ownWords
  return kind === 'skills' || !isWork ? AIM_TOKENS.skills : AIM_TOKENS.results
}

/** What the first pass wrote stays, even if the second one fails. */
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
  // End of a short conversation: text from outside waits for the next review that is due by count.
  if (!due.scope.everything && !due.scope.skills) {
    if (!holdsOwnWords(own)) return ok(emptyOutcome())
    const words = { kind: 'memory', mode: 'digest', transcript: own, earlier: [], sight: 'own', isLast: true } as const
    const only = await runPass({ ...words, aimTokens: aimOf({ ...words, isFirstOfTwo: false }), maxInputTokens, timeoutMs })
    return only.ok ? ok(only.value.outcome) : only
  }
  const unread = stampedFor(({ outsideWaits }) => outsideWaits !== true)
  const mode = reviewMode(settings, due)
  const transcript = mode === 'replay' ? stampTranscript(due.shown, NO_NAMES, { tainted: due.tainted }) : unread
  const sight = holdsOutsideText(unread) || holdsOutsideText(transcript) ? 'outside' : 'own'
  const { words, everything: outside, skills } = due.scope
  // Text from outside is read for memory only if that pass is due, and only once.
  const kind = kindOfPass({ memory: outside, skills })
  const ownKind = kindOfPass({ memory: words, skills })
  // Earlier turns were already reviewed for memory, and a replay shows them anyway.
  const earlier = stampEarlier(skills ? earlierTurns(due.shown, due.conversation) : undefined)
  const everything: Pass = {
    isLast: true,
    kind,
    mode,
    transcript,
    earlier: mode === 'digest' ? earlier.all : [],
    aimTokens: aimOf({ kind, sight, transcript, isFirstOfTwo: false }),
    sight,
    maxInputTokens,
    timeoutMs,
  }
  const isFirstOfTwo = sight === 'outside'
  if (isFirstOfTwo && !holdsOwnWords(own)) {
    const only = await runPass(everything)
    return only.ok ? ok(only.value.outcome) : only
  }
  // Never a replay: the host's request has its system prompt and the descriptions of its tools.
  const first = await runPass({
    ...everything,
    isLast: !isFirstOfTwo,
    kind: ownKind,
    mode: 'digest',
    transcript: own,
    earlier: earlier.own,
    aimTokens: aimOf({ kind: ownKind, sight: 'own', transcript: own, isFirstOfTwo }),
    sight: 'own',
  })
  if (first.ok && !isFirstOfTwo) return ok(first.value.outcome)
  if (!first.ok) return first
  const { outcome: done, tokens } = first.value
  if (hasWritten(done)) {
    forgetRead()
  }
  // One deadline and one token budget for both passes.
  const left = {
    timeoutMs: Math.max(1, timeoutMs - Math.max(0, clock() - startedAt)),
    maxInputTokens: Math.max(MIN_INPUT_TOKENS, maxInputTokens - tokens),
  }
  const second = await runPass({ ...everything, ...left, done })
  return second.ok ? ok(joinOutcomes(done, second.value.outcome)) : err(withOutcome(second.error, done))
}
