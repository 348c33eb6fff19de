/**
 * A competent reviewer without a model: adds what the user stated, replaces what they corrected, removes what they retracted, and merges entries if a store is nearly
 * full. It uses only its request and the lexicon.
 */
import type { HostModel, MemoryTarget } from '@hermes/core'
import { FORMS, FORMS_FROM_AGENT, FROM_AGENT, LITERALS } from './lexicon.ts'
import { type ReadRequest, readForm, readRequest, type ShownEntry, type Statement } from './read-request.ts'

type Op =
  | { readonly action: 'add'; readonly content: string }
  | { readonly action: 'replace'; readonly oldText: string; readonly content: string }
  | { readonly action: 'remove'; readonly oldText: string }

interface Proposal {
  readonly target: MemoryTarget
  readonly op: Op
  readonly statement?: Statement
}

const PART = '; '

const ALL_FORMS = [...FORMS, ...FORMS_FROM_AGENT]

interface Parts {
  readonly topic: string
  readonly statements: readonly string[]
}

/** Parses an entry `topic: statement; statement`; `undefined` for any other entry. */
const partsOf = (text: string): Parts | undefined => {
  const topic = ALL_FORMS.find((form) => text.startsWith(`${form.topic}: `))?.topic
  return topic === undefined ? undefined : { topic, statements: text.slice(topic.length + 2).split(PART) }
}

const ENTRIES: ReadonlyMap<string, string> = new Map(
  [...LITERALS, ...FROM_AGENT].flatMap(([, , about, entry]) => (entry === undefined ? [] : [[entry, about]])),
)

const subjectOf = (topic: string, statement: string): string | undefined =>
  ALL_FORMS.filter((form) => form.topic === topic)
    .map((form) => readForm(form, statement))
    .find((found) => found !== undefined)?.about

/** What remains of an entry without the subject; `undefined` if the entry is not about it. */
const withoutSubject = (text: string, about: string): { readonly rest: readonly string[]; readonly topic?: string } | undefined => {
  if (ENTRIES.get(text) === about) return { rest: [] }
  const parts = partsOf(text)
  if (parts === undefined) return undefined
  const rest = parts.statements.filter((statement) => subjectOf(parts.topic, statement) !== about)
  return rest.length === parts.statements.length ? undefined : { rest, topic: parts.topic }
}

const says = (text: string, entry: string): boolean => {
  if (text === entry) return true
  const [own, asked] = [partsOf(text), partsOf(entry)]
  return own !== undefined && own.topic === asked?.topic && asked.statements.every((statement) => own.statements.includes(statement))
}

interface OldEntry {
  readonly text: string
  /** The other statements of the entry. */
  readonly rest: readonly string[]
  readonly topic?: string
}

const entriesAbout = (about: string, entries: readonly ShownEntry[]): readonly OldEntry[] =>
  entries.flatMap(({ text }) => {
    const found = withoutSubject(text, about)
    return found === undefined ? [] : [{ text, ...found }]
  })

/** The entry with the new statement in place of the subject; `undefined` if nothing is left. */
const rewrite = ({ rest, topic }: OldEntry, entry: string | undefined): string | undefined => {
  if (topic === undefined) return entry
  const kept = entry === undefined ? rest : [...rest, entry.slice(topic.length + 2)]
  return kept.length > 0 ? `${topic}: ${kept.join(PART)}` : undefined
}

const change = (old: OldEntry, statement: Statement, entry: string | undefined): Proposal => {
  const content = rewrite(old, entry)
  const op: Op = content === undefined ? { action: 'remove', oldText: old.text } : { action: 'replace', oldText: old.text, content }
  return { target: statement.target, op, statement }
}

/** The proposals for one statement, given the current memory. */
const proposalsFor = (statement: Statement, { entries, waiting, showsOutside }: ReadRequest): readonly Proposal[] => {
  const { target, about, entry, isUsers } = statement
  const there = entries.filter((shown) => shown.target === target)
  const isKnown = entry !== undefined && (there.some(({ text }) => says(text, entry)) || waiting.includes(entry))
  if (!showsOutside) {
    const [old] = entriesAbout(about, there)
    if (isKnown) return []
    if (old !== undefined) return [change(old, statement, entry)]
    return entry === undefined ? [] : [{ target, op: { action: 'add', content: entry }, statement }]
  }
  // The statements of the user are already stored, and this pass may change only external entries.
  const [old] = entriesAbout(
    about,
    there.filter(({ isFromOutside, text }) => isFromOutside && !(entry !== undefined && says(text, entry))),
  )
  if (isUsers) return old === undefined ? [] : [change(old, statement, undefined)]
  const isOwn = entriesAbout(
    about,
    there.filter(({ isFromOutside }) => !isFromOutside),
  ).length
  if (isKnown || entry === undefined || isOwn > 0) return []
  return [old === undefined ? { target, op: { action: 'add', content: entry }, statement } : change(old, statement, entry)]
}

/** Maximum number of entries that are merged into one, to keep it readable. */
const MERGED = 6

/** Merges the largest topic of each nearly full store: one replace and the removals that belong to it. */
const merges = ({ entries, nearlyFull, showsOutside }: ReadRequest, touched: ReadonlySet<string>): readonly Proposal[] =>
  nearlyFull.flatMap((target) => {
    const own = entries.filter((entry) => entry.target === target && entry.isFromOutside === showsOutside && !touched.has(entry.text))
    const byTopic = new Map<string, ShownEntry[]>()
    for (const entry of own) {
      const topic = partsOf(entry.text)?.topic
      if (topic !== undefined) byTopic.set(topic, [...(byTopic.get(topic) ?? []), entry])
    }
    const [group = []] = [...byTopic.values()].sort((a, b) => b.length - a.length)
    const [first, ...others] = group.slice(0, MERGED)
    const parts = [first, ...others].map((entry) => (entry === undefined ? undefined : partsOf(entry.text)))
    if (first === undefined || others.length === 0) return []
    const content = `${parts[0]?.topic}: ${parts.flatMap((part) => part?.statements ?? []).join(PART)}`
    return [
      { target, op: { action: 'replace', oldText: first.text, content } },
      ...others.map(({ text }): Proposal => ({ target, op: { action: 'remove', oldText: text } })),
    ]
  })

/** Of several statements about one subject, the last one counts. */
const newest = (statements: readonly Statement[]): readonly Statement[] => [
  ...new Map(statements.map((statement) => [`${statement.target} ${statement.about}`, statement])).values(),
]

/** The proposals of a competent reviewer for a request. */
export const proposeFor = (request: ReadRequest): readonly Proposal[] => {
  if (!request.isAboutMemory) return []
  const changes = newest(request.statements).flatMap((statement) => proposalsFor(statement, request))
  const touched = new Set(changes.flatMap(({ op }) => (op.action === 'add' ? [] : [op.oldText])))
  return [...merges(request, touched), ...changes]
}

const SCORE = 0.95

export const scriptedReviewer: HostModel = async (request) =>
  JSON.stringify({
    proposals: proposeFor(readRequest(request)).map(({ target, op, statement }) => ({
      target,
      op,
      rationale: 'It will be useful in later conversations.',
      score: SCORE,
      evidence: statement === undefined ? [] : [{ messageId: statement.messageId, quote: statement.quote }],
    })),
  })
