/** Puts a corpus into a subject and asks every question. */
import { type Corpus, countMessages, type PastSession, type Question } from './corpus.ts'
import { SMALL_TALK, UNRELATED } from './filler.ts'
import { ASKED_AT } from './generate-sessions.ts'
import type { OpenRecall, RecallSubject } from './recall-subject.ts'
import { shareInCommon } from './words-in-common.ts'

const LIMIT = 10
const SESSIONS_AT_ONCE = 50

export interface Answered {
  readonly question: Question
  /** Share of its content words in the text that answers it. */
  readonly inCommon: number
  /** The sessions that the search found. */
  readonly found: readonly string[]
  /** Place of the first session that answers, from 1 on; 0 if it is not among the first ten. */
  readonly place: number
  /** Whether no outdated session comes before it. */
  readonly newestFirst: boolean
  /** Whether a session that answers was among what the model was shown without asking. */
  readonly prefetched: boolean
  readonly prefetchedChars: number
}

export interface Noise {
  readonly text: string
  readonly recalled: readonly string[]
}

export interface SubjectOutcome {
  readonly subject: string
  readonly messages: number
  readonly indexMs: number
  readonly bytes: number
  readonly answered: readonly Answered[]
  readonly smallTalk: readonly Noise[]
  readonly unrelated: readonly Noise[]
}

const ask = async (index: OpenRecall, question: Question): Promise<Answered> => {
  const found = await index.search(question, LIMIT)
  const recalled = await index.prefetch(question)
  const at = found.findIndex((session) => question.evidence.includes(session))
  const outdatedAt = found.findIndex((session) => question.outdated.includes(session))
  return {
    question,
    inCommon: shareInCommon(question.text, question.said),
    found,
    place: at + 1,
    newestFirst: at >= 0 && (outdatedAt < 0 || at < outdatedAt),
    prefetched: recalled.some(({ sessionId }) => sessionId !== undefined && question.evidence.includes(sessionId)),
    prefetchedChars: recalled.reduce((sum, { text }) => sum + text.length, 0),
  }
}

const listen = async (index: OpenRecall, text: string): Promise<Noise> => {
  const recalled = await index.prefetch({ text, at: ASKED_AT })
  return { text, recalled: recalled.map((each) => each.text) }
}

export const addAll = async (index: OpenRecall, sessions: readonly PastSession[]): Promise<number> => {
  const began = performance.now()
  for (let at = 0; at < sessions.length; at += SESSIONS_AT_ONCE) await index.add(sessions.slice(at, at + SESSIONS_AT_ONCE))
  return performance.now() - began
}

const oneByOne = async <T, R>(list: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> => {
  const results: R[] = []
  for (const item of list) results.push(await work(item))
  return results
}

const measureOne = async (subject: RecallSubject, { sessions, questions }: Corpus, listens: boolean): Promise<SubjectOutcome> => {
  const index = await subject.open()
  try {
    const indexMs = await addAll(index, sessions)
    await index.ready()
    return {
      subject: subject.name,
      messages: countMessages(sessions),
      indexMs,
      bytes: await index.size(),
      answered: await oneByOne(questions, (question) => ask(index, question)),
      smallTalk: await oneByOne(listens ? SMALL_TALK : [], (text) => listen(index, text)),
      unrelated: await oneByOne(listens ? UNRELATED : [], (text) => listen(index, text)),
    }
  } finally {
    await index.close()
  }
}

const joined = (sum: SubjectOutcome, next: SubjectOutcome): SubjectOutcome => ({
  subject: sum.subject,
  messages: sum.messages + next.messages,
  indexMs: sum.indexMs + next.indexMs,
  bytes: sum.bytes + next.bytes,
  answered: [...sum.answered, ...next.answered],
  smallTalk: [...sum.smallTalk, ...next.smallTalk],
  unrelated: [...sum.unrelated, ...next.unrelated],
})

/** Each corpus in an index of its own. Noise is measured in the first corpus. */
export const measureRecall = async (subject: RecallSubject, corpora: readonly Corpus[]): Promise<SubjectOutcome> => {
  const outcomes: SubjectOutcome[] = []
  for (const [index, corpus] of corpora.entries()) outcomes.push(await measureOne(subject, corpus, index === 0))
  const [first, ...rest] = outcomes
  if (first === undefined) throw new TypeError('There is no corpus to measure.')
  return rest.reduce(joined, first)
}
