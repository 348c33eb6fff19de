/**
 * Reads a file of LongMemEval, which users download themselves: a list of questions, each with its own past sessions. Questions without an answer (their ids end with
 * `_abs`) are left out, because no session is to be found for them.
 */
import { readFile, stat } from 'node:fs/promises'
import type { Corpus, PastSession, PastTurn, Question } from './corpus.ts'

/** Longer files do not fit into one string. */
const MAX_BYTES = 500_000_000
const MINUTE_MS = 60_000

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown): value is string => typeof value === 'string'

const isListOf = <T>(value: unknown, isItem: (item: unknown) => item is T): value is readonly T[] =>
  Array.isArray(value) && value.every(isItem)

const isSession = (value: unknown): value is readonly Fields[] => isListOf(value, isFields)

class LongMemEvalError extends RangeError {
  override readonly name = 'LongMemEvalError'
}

type Place = (problem: string) => LongMemEvalError

/** `2023/05/20 (Sat) 02:21`, as UTC. */
const toTime = (date: string, at: Place): number => {
  const parts = /^(\d{4})\/(\d{1,2})\/(\d{1,2})(?: \(\w+\))?(?: (\d{1,2}):(\d{2}))?$/.exec(date.trim())
  if (parts === null) throw at(`'${date}' is not a date like '2023/05/20 (Sat) 02:21'`)
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts.slice(1).map((part) => Number(part ?? 0))
  return Date.UTC(year, month - 1, day, hour, minute)
}

/** An answer belongs to the message before it. A message without an answer is a turn of its own, and so is an answer without a message. */
const toTurns = (messages: readonly Fields[], startedAt: number, at: Place): readonly PastTurn[] => {
  const turns: PastTurn[] = []
  let open: string | undefined
  const close = (assistant: string): void => {
    turns.push({ user: open ?? '', assistant, at: startedAt + turns.length * MINUTE_MS })
    open = undefined
  }
  for (const { role, content } of messages) {
    if (!isText(content) || (role !== 'user' && role !== 'assistant')) {
      throw at('a message is { role: "user" or "assistant", content: text }')
    }
    if (role === 'assistant') close(content)
    else {
      if (open !== undefined) close('')
      open = content
    }
  }
  if (open !== undefined) close('')
  return turns
}

const textOf = ({ turns }: PastSession): string => turns.map(({ user, assistant }) => `${user}\n${assistant}`).join('\n')

/** The messages that hold the answer, or all of the sessions if none is marked. */
const saidIn = (messages: readonly (readonly Fields[])[], sessions: readonly PastSession[]): string => {
  const marked = messages.flat().filter(({ has_answer }) => has_answer === true)
  return marked.length > 0 ? marked.map(({ content }) => String(content)).join('\n') : sessions.map(textOf).join('\n')
}

const toCorpus = (item: unknown, index: number): Corpus => {
  const at: Place = (problem) =>
    new LongMemEvalError(`Item ${index} of the file is not as in LongMemEval: ${problem}. Download longmemeval_s.json again.`)
  if (!isFields(item)) throw at('it is not an object')
  const text = (key: string): string => {
    const value = item[key]
    if (!isText(value)) throw at(`'${key}' is missing or not a text`)
    return value
  }
  const list = <T>(key: string, isItem: (value: unknown) => value is T): readonly T[] => {
    const value = item[key]
    if (!isListOf(value, isItem)) throw at(`'${key}' is missing or not a list of the right kind`)
    return value
  }
  const ids = list('haystack_session_ids', isText)
  const dates = list('haystack_dates', isText)
  const haystack = list('haystack_sessions', isSession)
  if (ids.length !== haystack.length || dates.length !== haystack.length) throw at('its lists of sessions, ids and dates differ in length')
  const evidence = list('answer_session_ids', isText)
  const missing = evidence.find((id) => !ids.includes(id))
  if (missing !== undefined) throw at(`the session '${missing}' that should answer is not among its sessions`)
  const sessions = haystack.map(
    (messages, place): PastSession => ({
      id: ids[place] ?? '',
      automated: false,
      turns: toTurns(messages, toTime(dates[place] ?? '', at), at),
    }),
  )
  const isEvidence = (_: unknown, place: number) => evidence.includes(ids[place] ?? '')
  const question: Question = {
    id: text('question_id'),
    kind: text('question_type'),
    text: text('question'),
    at: toTime(text('question_date'), at),
    evidence,
    outdated: [],
    said: saidIn(haystack.filter(isEvidence), sessions.filter(isEvidence)),
  }
  return { sessions, questions: question.id.endsWith('_abs') ? [] : [question] }
}

const parse = (text: string, file: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new LongMemEvalError(`'${file}' is not JSON: ${String(error)}. Download longmemeval_s.json again.`)
  }
}

const readText = async (file: string): Promise<string> => {
  try {
    const { size } = await stat(file)
    if (size > MAX_BYTES)
      throw new LongMemEvalError(`'${file}' has ${size} bytes, more than ${MAX_BYTES}. Use longmemeval_s.json, or a part of the file.`)
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof LongMemEvalError) throw error
    throw new LongMemEvalError(`'${file}' cannot be read: ${String(error)}. Name the path of your download of longmemeval_s.json.`)
  }
}

/** One corpus for each question. Rejects with a RangeError that says what is wrong with the file. */
export const readLongMemEval = async (file: string): Promise<readonly Corpus[]> => {
  const items = parse(await readText(file), file)
  if (!Array.isArray(items)) throw new LongMemEvalError(`'${file}' is not a list of questions. Download longmemeval_s.json again.`)
  const corpora = items.map(toCorpus).filter(({ questions }) => questions.length > 0)
  if (corpora.length === 0) throw new LongMemEvalError(`'${file}' holds no question with an answer.`)
  return corpora
}
