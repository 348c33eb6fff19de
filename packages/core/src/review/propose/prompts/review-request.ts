/** Builds the reviewer's request. */
import type { PendingProposal } from '../../../journal/pending.ts'
import {
  type ByTarget,
  type EntryDates,
  type EntryFacts,
  type EntryOrigin,
  MEMORY_TARGETS,
  type MemoryOp,
  type MemoryTarget,
} from '../../../memory/memory-op.ts'
import { cutEnd, cutMiddle } from '../../../model/cut-text.ts'
import { fenced, neutralise } from '../../../model/data-fence.ts'
import { countUnits } from '../../../model/token-estimate.ts'
import { reviewProposalSchema } from '../../../proposal/review-proposal.ts'
import type { SkillOp } from '../../../skills/skill-op.ts'
import type { ReviewOutcome } from '../../review-outcome.ts'
import type { RequestDates } from '../request-dates.ts'
import { isAboutMemory, isAboutSkills, type ReviewKind } from '../review-proposer.ts'
import { describeAnswer, OUTSIDE_MEMORY_ROLE, OUTSIDE_ROLE, reviewerRole, type ShownStores } from './reviewer-role.ts'

/** Share of a store's limit above which an add is likely to be refused. */
const NEARLY_FULL = 0.8

export const isNearlyFull = (usedChars: number, charLimit: number): boolean => usedChars >= NEARLY_FULL * charLimit

const WHOSE = {
  user: 'by the user',
  host: 'by the host program',
  assistant: 'by the agent',
  tool: 'from outside',
  external: 'written by hand',
} as const

const day = (at: number): string => new Date(at).toISOString().slice(0, 10)

const describeDates = ({ origin, firstSeenAt, lastConfirmedAt }: EntryDates): string =>
  firstSeenAt === 0
    ? `dates unknown, ${WHOSE[origin]}`
    : `first seen ${day(firstSeenAt)}, last confirmed ${day(lastConfirmedAt)}, ${WHOSE[origin]}`

/** Each entry starts with a bracket of its facts, in a place where no entry can forge it. */
const describeDatedEntries = (entries: readonly string[], facts: readonly EntryFacts[]): string => {
  const known = new Map(facts.map((fact) => [fact.entry, fact]))
  return entries
    .map((entry) => {
      const dates = known.get(entry)
      return `- [${dates ? describeDates(dates) : 'dates unknown'}] ${neutralise(entry)}`
    })
    .join('\n')
}

/** Asks to make room before anything new is added (reference skills-curator 22); `''` if no store is nearly full. */
const askForRoom = (targets: readonly MemoryTarget[]): string => {
  if (targets.length === 0) return ''
  const stores = targets.map((target) => `"${target}"`).join(' and ')
  return `

Make room first: ${stores} ${targets.length === 1 ? 'is' : 'are'} nearly full. A bracket before an entry says when it was first seen, when last confirmed, and whose words it is; it is no part of the entry. Before anything new propose, in this order:
1. Merges of entries of one origin on one subject: "replace" one by the words of all of them, nothing new, then "remove" the others.
2. What is contradicted: of two entries that exclude each other the one confirmed later stands; "remove" the other.
3. What is stale: "remove" what nobody has confirmed for long and no later conversation is likely to need, unless it is the user's or written by hand.
What the user said or wrote by hand goes only into such a merge, or where the user took it back. What goes is kept in an archive. Here the score says how sure you are, and "evidence" may be empty. If nothing can go without a loss, propose none of these.`
}

export interface StoreUsage {
  /** Code points. */
  readonly usedChars: number
  readonly charLimit: number
}

export interface Remembered {
  readonly entries: ByTarget<readonly string[]>
  readonly usage: ByTarget<StoreUsage>
  /** Facts about the entries, shown if a store is nearly full; see `MemoryStore.facts`. */
  readonly facts?: ByTarget<readonly EntryFacts[]>
  /** Origin of each entry, if the reviewer is to be told. */
  readonly origins?: ByTarget<ReadonlyMap<string, EntryOrigin>>
  /** The fields of the profile, if the reviewer may propose values: the result of `describeFields`. */
  readonly fields?: string | undefined
}

/** The stores that are shown: that of a project only if it is named. */
export const storesOf = ({ entries }: Pick<Remembered, 'entries'>): readonly MemoryTarget[] =>
  MEMORY_TARGETS.filter((target) => entries[target] !== undefined)

const usageOf = ({ usage }: Remembered, target: MemoryTarget): StoreUsage => usage[target] ?? { usedChars: 0, charLimit: 0 }

const isFull = (remembered: Remembered, target: MemoryTarget): boolean => {
  const { usedChars, charLimit } = usageOf(remembered, target)
  // Fields are neither merged nor shortened.
  return target !== 'profile' && isNearlyFull(usedChars, charLimit)
}

const describeStore = (target: MemoryTarget, remembered: Remembered, maxUnits: number): string => {
  const { facts, origins } = remembered
  const entries = remembered.entries[target] ?? []
  const { usedChars, charLimit } = usageOf(remembered, target)
  const nearlyFull = isFull(remembered, target)
  const whose = (entry: string): string => (origins ? `[${WHOSE[origins[target]?.get(entry) ?? 'external']}] ` : '')
  const plain = entries.map((entry) => `- ${whose(entry)}${neutralise(entry)}`).join('\n')
  const dated = nearlyFull && facts ? describeDatedEntries(entries, facts[target] ?? []) : plain
  // If the dates would displace entries, the dates are omitted.
  const list = countUnits(dated) <= maxUnits ? dated : plain
  const full = nearlyFull ? ' Nearly full: merge or shorten entries instead of adding.' : ''
  const shown = list === '' ? '(empty)' : cutMiddle(list, maxUnits)
  if (target === 'profile' && remembered.fields !== undefined)
    return `"profile": what is known of the user.\n${shown}\nIts fields:\n${cutMiddle(remembered.fields, maxUnits)}`
  return `"${target}": ${usedChars} of ${charLimit} characters used.${full}\n${shown}`
}

/** The stores as data, with a request to make room if one is nearly full. An overlong store is cut, so that it cannot displace the conversation. */
export const describeRemembered = (remembered: Remembered, maxUnitsPerStore: number): string =>
  fenced(
    'remembered',
    storesOf(remembered)
      .map((target) => describeStore(target, remembered, maxUnitsPerStore))
      .join('\n\n'),
  ) + askForRoom(storesOf(remembered).filter((target) => (remembered.entries[target] ?? []).length > 0 && isFull(remembered, target)))

/** Characters of the JSON schema of one field. */
const FIELD_CHARS = 200

/** A line for each field of the profile. */
export const describeFields = (fields: ReadonlyMap<string, unknown>): string =>
  [...fields].map(([field, schema]) => `- ${neutralise(cutEnd(`${field}: ${JSON.stringify(schema)}`, FIELD_CHARS))}`).join('\n')

const describeOp = (op: MemoryOp): string => {
  if (op.action === 'add') return op.content
  return op.action === 'remove' ? `(removed) ${op.oldText}` : `${op.content} (instead of: ${op.oldText})`
}

const memoryOpOf = (proposal: unknown): MemoryOp | undefined => {
  const parsed = reviewProposalSchema.safeParse(proposal)
  return parsed.success && parsed.data.target !== 'skill' ? parsed.data.op : undefined
}

/** For the second pass, a line each: what the first pass wrote and what it left pending. Rejected proposals are omitted. */
export const doneLines = ({ applied, held }: ReviewOutcome): readonly string[] =>
  [...applied, ...held].flatMap(({ proposal }) => memoryOpOf(proposal) ?? []).map(describeOp)

const waitingLine = (op: MemoryOp): string => (op.action === 'remove' ? op.oldText : op.content)

const skillText = (op: SkillOp): string => (op.action === 'patch' ? op.newText : 'content' in op ? op.content : '')

const skillLine = (op: SkillOp): string => {
  const file = 'filePath' in op && op.filePath !== undefined ? `, ${op.filePath}` : ''
  return `${op.action} the skill ${op.name}${file}: ${skillText(op)}`
}

/** One line for each pending operation, as shown to the next reviewer. */
export const waitingLines = (held: PendingProposal): readonly string[] =>
  held.target === 'skill' ? held.ops.map(skillLine) : held.ops.map(waitingLine)

/** Maximum number of pending proposals shown, newest first, and of characters of each. */
const WAITING_SHOWN = 30
const WAITING_CHARS = 200

/** Pending proposals, newest last; `''` if there are none. */
export const describeWaiting = (waiting: readonly string[], maxUnits: number): string => {
  const lines = waiting.slice(-WAITING_SHOWN).map((text) => `- ${neutralise(cutEnd(text, WAITING_CHARS))}`)
  if (lines.length === 0) return ''
  return `Already proposed, and waiting for a person's answer. Do not propose it again, in whatever words:\n${fenced('waiting', cutMiddle(lines.join('\n'), maxUnits))}\n\n`
}

/** Maximum characters of each line. */
const DONE_CHARS = 200

/** Changes of memory by the review of the user's own words; `''` if there are none. */
export const describeDone = (done: readonly string[], maxUnits: number): string => {
  const lines = done.map((text) => `- ${neutralise(cutEnd(text, DONE_CHARS))}`)
  if (lines.length === 0) return ''
  return `Done by the review of the user's own words:\n${fenced('done', cutMiddle(lines.join('\n'), maxUnits))}\n\n`
}

/** `''` if nothing was said before or the host no longer shows it. */
const describeEarlier = (earlier: string): string =>
  earlier === '' ? '' : `Said before, shortened and reviewed already; it only explains what follows:\n${fenced('said-before', earlier)}\n\n`

const today = ({ dates, since }: RequestParts): string => {
  const said = dates?.said(since) ?? ''
  return dates ? `${dates.today}${said === '' ? '' : ` The conversation began ${said}.`}\n\n` : ''
}

export interface RequestParts extends ShownStores {
  readonly kind: ReviewKind
  readonly remembered: string
  /** Result of `describeLibrary`. */
  readonly library: string
  /** Result of `describeWaiting`. */
  readonly waiting: string
  /** Result of `describeDone`. */
  readonly done?: string
  /** Result of `digestEarlier`. */
  readonly earlier?: string
  /** True if text from outside is shown as well. */
  readonly showsOutside?: boolean
  readonly maxProposals: number
  readonly dates?: RequestDates | undefined
  /** Epoch milliseconds: when what is reviewed began, if its messages cannot say so. */
  readonly since?: number | undefined
}

const ASKS: Readonly<Record<ReviewKind, string>> = {
  memory: 'What should be remembered',
  skills: 'How should the skills change',
  both: 'What should be remembered, and how should the skills change',
}

const ASKS_OF_ABOVE: Readonly<Record<ReviewKind, string>> = {
  memory: ASKS.memory,
  skills: 'How should the skills change in the light',
  both: 'What should be remembered, and how should the skills change, in the light',
}

/** Existing state: the entries, the skills and pending proposals. */
const describeState = ({ kind, remembered, library, waiting, done = '' }: RequestParts): string =>
  [
    isAboutMemory(kind) ? `Already remembered:\n${remembered}\n\n` : '',
    isAboutSkills(kind) ? `The skills there are. Each line: whose it is, its name, what it is for.\n${library}\n\n` : '',
    done,
    waiting,
  ].join('')

const roleOf = ({ kind, showsOutside = false, ...stores }: RequestParts): string => {
  const role = reviewerRole(kind, stores)
  return showsOutside ? `${role}\n\n${isAboutMemory(kind) ? OUTSIDE_MEMORY_ROLE : OUTSIDE_ROLE}` : role
}

/** For a model that has not seen the conversation: `conversation` is its digest. */
export const digestRequest = (conversation: string, parts: RequestParts) => ({
  system: `${roleOf(parts)}\n\n${describeAnswer(parts.maxProposals, true, parts.kind, parts)}`,
  user: `${today(parts)}${describeState(parts)}${describeEarlier(parts.earlier ?? '')}The conversation. A message begins with its id, its speaker and whose words they are ("tool": anything from outside).\n${fenced('conversation', conversation)}\n\n${ASKS[parts.kind]}? Answer with the JSON object.`,
})

/** For a model that has the whole conversation in its context: one final message contains the request. */
export const replayRequest = (parts: RequestParts) => ({
  system: '',
  user: `This message is not from the user. It asks for a review of the conversation above; do not continue that conversation, and call no tools.\n\n${roleOf(parts)}\n\n${describeAnswer(parts.maxProposals, false, parts.kind, parts)}\n\n${today(parts)}${describeState(parts)}${ASKS_OF_ABOVE[parts.kind]} of the conversation above? Answer with the JSON object.`,
})
