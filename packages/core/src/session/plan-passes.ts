/** Which passes a review has, and what each of them reads. Pure. */
import { countUnits, UNITS_PER_TOKEN } from '../model/token-estimate.ts'
import { holdsOutsideText, stampTranscript, stampTurns } from '../proposal/stamp-transcript.ts'
import type { Transcript } from '../proposal/transcript.ts'
import { isOwnMessage, type TurnMessage } from '../proposal/turn-message.ts'
import { holdsOwnWords, ownTranscript } from '../review/own-words-pass.ts'
import type { ReviewKind } from '../review/propose/review-proposer.ts'
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
  return shown.length > 0 && units / UNITS_PER_TOKEN <= maxInputTokens && isShownIn(unread, shown) ? 'replay' : 'digest'
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

/** What one pass reads. */
export interface Pass {
  /** Whose turns it reads; undefined: those that are about none. */
  readonly project?: string
  readonly kind: ReviewKind
  readonly mode: ReviewSettings['mode']
  readonly transcript: Transcript
  /** What was said before the transcript. */
  readonly earlier: Transcript
  /** Estimated tokens; see `ModelProposerOptions.aimTokens`. */
  readonly aimTokens: number
  readonly sight: 'own' | 'outside'
  /** That a tool failed is part of its result, so a pass over own words is not told of it where there is text from outside. */
  readonly hidesFailures: boolean
}

const withAim = (pass: Omit<Pass, 'aimTokens' | 'hidesFailures'>, isFirstOfTwo = false, hidesFailures = isFirstOfTwo): Pass => ({
  ...pass,
  hidesFailures,
  aimTokens: aimOf({ ...pass, isFirstOfTwo }),
})

const onlyOf = (due: DueReview, project: string | undefined): DueReview => ({
  ...due,
  project,
  conversation: due.conversation.filter((turn) => turn.project === project),
  // The host shows the newest session alone.
  ...(project === due.project ? {} : { shown: [], tainted: false }),
})

/** The unread turns of each project, and those about none, each as a review of its own; the one that the host shows comes last. */
const byProject = (due: DueReview): readonly DueReview[] => {
  const projects = [...new Set(due.conversation.map(({ project }) => project))]
  const [first, ...more] = projects
  if (more.length === 0 && (first === due.project || projects.length === 0)) return [due]
  const isShown = (project: string | undefined): boolean => project === due.project
  return [...projects.filter((project) => !isShown(project)), ...projects.filter(isShown)].map((project) => onlyOf(due, project))
}

/** The passes of all projects in order, none of which reads about two. Those over own words come first, so that text from outside changes none of them. */
export const planPasses = (due: DueReview, settings: ReviewSettings): readonly Pass[] => {
  const passes = byProject(due).flatMap((own) => {
    const { project } = own
    return planProject(own, settings).map((pass): Pass => (project === undefined ? pass : { ...pass, project }))
  })
  return [...passes.filter(({ sight }) => sight === 'own'), ...passes.filter(({ sight }) => sight === 'outside')]
}

/** The passes in order; none if there is nothing to read. The pass over the user's own words comes first, and never contains the host's request or text from outside. */
const planProject = (due: DueReview, settings: ReviewSettings): readonly Pass[] => {
  const { words, everything: outside, skills } = due.scope
  const stampedFor = (reads: (turn: TurnToRead) => boolean) =>
    stampTurns(
      due.conversation.filter((turn) => reads(turn)),
      NO_NAMES,
    )
  const own = ownTranscript(stampedFor(({ readers }) => readers.words || readers.skills))
  // Never a replay: the host's request has its system prompt and the descriptions of its tools.
  const first = { kind: kindOfPass({ memory: words, skills }), mode: 'digest', transcript: own, sight: 'own' } as const
  // End of a short conversation: text from outside waits for the next review that is due by count.
  if (!outside && !skills) return holdsOwnWords(own) ? [withAim({ ...first, earlier: [] })] : []
  const unread = stampedFor(({ outsideWaits }) => outsideWaits !== true)
  const mode = reviewMode(settings, due)
  const [{ at } = {}] = unread
  const transcript =
    mode === 'replay' ? stampTranscript(due.shown, NO_NAMES, { tainted: due.tainted }).map((message) => ({ ...message, at })) : unread
  // Earlier turns were already reviewed for memory, and a replay shows them anyway.
  const earlier = stampEarlier(skills ? earlierTurns(due.shown, due.conversation) : undefined)
  const outsideWaits = due.conversation.some((turn) => turn.outsideWaits)
  if (!holdsOutsideText(unread) && !holdsOutsideText(transcript)) return [withAim({ ...first, earlier: earlier.own }, false, outsideWaits)]
  // Text from outside is read for memory only if that pass is due, and only once.
  const second = withAim({
    kind: kindOfPass({ memory: outside, skills }),
    mode,
    transcript,
    earlier: mode === 'digest' ? earlier.all : [],
    sight: 'outside',
  })
  return holdsOwnWords(own) ? [withAim({ ...first, earlier: earlier.own }, true), second] : [second]
}
