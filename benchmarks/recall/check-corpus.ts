/** Checks the corpus for mistakes that would make the figures meaningless. Returns a list of problems. Pure. */
import type { Corpus, Question } from './corpus.ts'
import { PEOPLE, PROJECTS } from './filler.ts'
import { contentWords, shareInCommon } from './words-in-common.ts'

const MIN_SESSIONS = 500
const MIN_QUESTIONS = 300
const MIN_TURNS = 10
const MAX_TURNS = 55

const NAMES = new Set([...PEOPLE, ...PROJECTS].map((name) => name.toLowerCase()))

const problemsOf = ({ id, wording, text, said, kind, evidence }: Question, texts: ReadonlyMap<string, string>): readonly string[] => {
  const problem = (what: string) => `question '${id}', '${text}': ${what}`
  const [statement = ''] = said.split('\n')
  const known = new Set(contentWords(kind === 'told' ? said : statement))
  const shared = contentWords(text).filter((word) => known.has(word) && !NAMES.has(word))
  const isThere = evidence.some((session) => said.split('\n').every((part) => texts.get(session)?.includes(part)))
  return [
    ...(isThere ? [] : [problem('its evidence does not hold what was said')]),
    ...(wording === 'other' && shared.length > 0
      ? [problem(`it should have no word of '${statement}', but has ${shared.join(', ')}`)]
      : []),
    ...(wording === 'same' && shareInCommon(text, statement) < 0.5 ? [problem(`it should share its words with '${statement}'`)] : []),
  ]
}

export const checkCorpus = ({ sessions, questions }: Corpus): readonly string[] => {
  const texts = new Map(sessions.map(({ id, turns }) => [id, turns.map(({ user, assistant }) => `${user}\n${assistant}`).join('\n')]))
  const ids = questions.map(({ id }) => id)
  return [
    ...(sessions.length < MIN_SESSIONS ? [`${sessions.length} sessions, fewer than ${MIN_SESSIONS}`] : []),
    ...(questions.length < MIN_QUESTIONS ? [`${questions.length} questions, fewer than ${MIN_QUESTIONS}`] : []),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `two questions are called '${id}'`),
    ...sessions
      .filter(({ turns }) => turns.length < MIN_TURNS || turns.length > MAX_TURNS)
      .map(({ id, turns }) => `session ${id} has ${turns.length} turns`),
    ...questions.flatMap((question) => problemsOf(question, texts)),
  ]
}
