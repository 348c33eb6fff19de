/** Decides what is said in which session, and what is asked about it. Pure. */
import type { Question, Wording } from './corpus.ts'
import { type FactKind, OTHER_LANGUAGES, PEOPLE_FACTS, PERSONAL_FACTS, PROJECT_FACTS, TOLD, TWO_HOPS } from './facts.ts'
import { type Exchange, PEOPLE, PROJECTS } from './filler.ts'
import { ASKED_AT, sessionId, type TimedExchanges } from './generate-sessions.ts'
import type { Plan, Planted } from './plan.ts'
import { planThemes } from './plan-themes.ts'
import type { SeededRandom } from './seeded-random.ts'

const FACTS_OF_A_PERSON = 5
const FACTS_OF_A_PROJECT = 6
/** Two in five with the same words, two with some of them, one with none. */
const WORDINGS: readonly Wording[] = ['same', 'same', 'partly', 'partly', 'other']

/** How often the conversation goes on about what was said. */
const FOLLOWED_SHARE = 0.7

const NOTHING: Plan = { planted: [], questions: [] }

const joinPlans = (plans: readonly Plan[]): Plan =>
  plans.reduce(
    (sum, { planted, questions }) => ({ planted: [...sum.planted, ...planted], questions: [...sum.questions, ...questions] }),
    NOTHING,
  )

const OK_REPLIES: readonly string[] = ['Good to know.', 'Thanks for telling me.', 'Noted.', 'I see.', 'That sounds like quite a day.']

/** So many sessions with a person, in the order of time. */
const chooseSessions = (count: number, sessions: readonly TimedExchanges[], random: SeededRandom): readonly number[] => {
  const open = sessions.flatMap(({ automated }, index) => (automated ? [] : [index]))
  return random
    .shuffle(open)
    .slice(0, count)
    .sort((a, b) => a - b)
}

const fillFact = (text: string, who: string, value: string): string => text.replaceAll('{who}', who).replaceAll('{value}', value)

const planFact = (kind: FactKind, who: string, sessions: readonly TimedExchanges[], random: SeededRandom): Plan => {
  const changes = kind.changed !== undefined && random.chance(0.6) ? random.between(1, 2) : 0
  const values = random.shuffle(kind.values).slice(0, changes + 1)
  const chosen = chooseSessions(values.length, sessions, random)
  const planted = values.map((value, index): Planted => {
    const said = random.pick(index === 0 ? kind.said : (kind.changed ?? kind.said))
    const reply = random.chance(0.7) ? random.pick(kind.replies) : random.pick(OK_REPLIES)
    const exchange = { user: fillFact(said, who, value), assistant: fillFact(reply, who, value) }
    if (!random.chance(FOLLOWED_SHARE)) return { session: chosen[index] ?? 0, exchange }
    const [request = '', answer = ''] = fillFact(random.pick(kind.after), who, value).split(' | ')
    return { session: chosen[index] ?? 0, exchange, after: { user: request, assistant: answer } }
  })
  const last = planted.at(-1)
  if (last === undefined) return NOTHING
  const wording = random.pick(WORDINGS)
  const question: Question = {
    id: `${kind.id}${who === '' ? '' : `-${who.toLowerCase()}`}`,
    kind: values.length > 1 ? 'update' : 'fact',
    text: fillFact(random.pick(kind.asked[wording]), who, ''),
    at: ASKED_AT,
    wording,
    evidence: [sessionId(last.session)],
    outdated: planted.slice(0, -1).map(({ session }) => sessionId(session)),
    said: [last.exchange, ...(last.after ? [last.after] : [])].map(({ user, assistant }) => `${user}\n${assistant}`).join('\n'),
  }
  return { planted, questions: [question] }
}

const planOne = (
  question: Pick<Question, 'id' | 'kind' | 'text' | 'wording'>,
  exchanges: readonly Exchange[],
  sessions: readonly TimedExchanges[],
  random: SeededRandom,
): Plan => {
  const chosen = random.shuffle(chooseSessions(exchanges.length, sessions, random))
  const planted = exchanges.map((exchange, index) => ({ session: chosen[index] ?? 0, exchange }))
  const last = planted.at(-1)
  if (last === undefined) return NOTHING
  const { user, assistant } = last.exchange
  const answer = { at: ASKED_AT, evidence: [sessionId(last.session)], outdated: [], said: `${user}\n${assistant}` }
  return { planted, questions: [{ ...question, ...answer }] }
}

export const planFacts = (sessions: readonly TimedExchanges[], random: SeededRandom): Plan => {
  const some = (kinds: readonly FactKind[], count: number) => random.shuffle(kinds).slice(0, count)
  const ok = () => random.pick(OK_REPLIES)
  return joinPlans([
    ...PERSONAL_FACTS.map((kind) => planFact(kind, '', sessions, random)),
    ...PEOPLE.flatMap((who) => some(PEOPLE_FACTS, FACTS_OF_A_PERSON).map((kind) => planFact(kind, who, sessions, random))),
    ...PROJECTS.flatMap((who) => some(PROJECT_FACTS, FACTS_OF_A_PROJECT).map((kind) => planFact(kind, who, sessions, random))),
    ...TWO_HOPS.map(({ id, names, values, described, stated, asked }) => {
      const name = random.pick(names)
      const first = { user: described.replace('{name}', name), assistant: ok() }
      const second = { user: stated.replace('{name}', name).replace('{value}', random.pick(values)), assistant: ok() }
      return planOne({ id, kind: 'two-hops', text: asked }, [first, second], sessions, random)
    }),
    ...TOLD.map(({ id, request, values, answer, asked, wording }) =>
      planOne(
        { id: `told-${id}`, kind: 'told', text: asked, wording },
        [{ user: request, assistant: answer.replace('{value}', random.pick(values)) }],
        sessions,
        random,
      ),
    ),
    ...OTHER_LANGUAGES.map(({ id, said, reply, asked }) =>
      planOne({ id, kind: 'language', text: asked }, [{ user: said, assistant: reply }], sessions, random),
    ),
    planThemes(sessions, random),
  ])
}
