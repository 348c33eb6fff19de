/** Plants the news of each theme over the year and asks for one time of it. Pure. */
import type { Question } from './corpus.ts'
import { THEMES, type Theme } from './facts.ts'
import { ASKED_AT, DAY_MS, sessionId, type TimedExchanges } from './generate-sessions.ts'
import type { Plan } from './plan.ts'
import type { SeededRandom } from './seeded-random.ts'

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November'] as const
const OCTOBER = 9
const WEEK_START = ASKED_AT - (ASKED_AT % DAY_MS) - 7 * DAY_MS

/** Asks in different words; each holds the topic. */
const ASKED = [
  (topic: string, time: string) => `What did I say about ${topic} ${time}?`,
  (topic: string, time: string) => `What was new with ${topic} ${time}?`,
  (topic: string, time: string) => `${time[0]?.toUpperCase()}${time.slice(1)}, what did I tell you about ${topic}?`,
] as const

/** Mentions that hold no news. */
const PASSING = [
  (topic: string) => `I have to leave at six, it is because of ${topic}.`,
  (topic: string) => `Remind me to buy something for ${topic} on Saturday.`,
  (topic: string) => `How much time a week should ${topic} take?`,
] as const

interface Occasion {
  readonly from: number
  readonly to: number
  /** How a question names the time; undefined if nothing is asked about it. */
  readonly named?: (at: number) => string
}

const month = (index: number): Occasion => ({ from: Date.UTC(2026, index, 1), to: Date.UTC(2026, index + 1, 1) })

const onDate = (at: number): string => {
  const date = new Date(at)
  const day = date.getUTCDate()
  const name = MONTHS[date.getUTCMonth()] ?? ''
  return (
    [`on ${name} ${day}`, `on the ${day}th of ${name}`.replace('1th', '1st').replace('2th', '2nd').replace('3th', '3rd')][day % 2] ?? ''
  )
}

const planTheme = ({ id, topic, news, reply }: Theme, sessions: readonly TimedExchanges[], random: SeededRandom): Plan => {
  const months = random.shuffle([0, 1, 2, 3, 4, 5, 6, 7, 8])
  const inSpan = ({ from, to }: Occasion) =>
    sessions.flatMap(({ automated, startedAt }, index) => (!automated && startedAt >= from && startedAt < to ? [index] : []))
  const occasions: readonly Occasion[] = [
    ...months.slice(0, 3).map((index) => ({ ...month(index), named: () => `in ${MONTHS[index]}` })),
    { ...month(months[3] ?? 0), named: onDate },
    { ...month(OCTOBER), named: () => 'last month' },
    { from: WEEK_START, to: WEEK_START + 7 * DAY_MS, named: () => 'last week' },
    ...months.slice(4, 7).map(month),
  ]
  const lines = random.shuffle(news)
  const told = occasions.map((occasion, index) => ({
    occasion,
    session: random.pick(inSpan(occasion)),
    exchange: { user: lines[index] ?? topic, assistant: reply },
  }))
  const passing = months.slice(4).map((index) => ({
    session: random.pick(inSpan(month(index))),
    exchange: { user: random.pick(PASSING)(topic), assistant: 'All right.' },
  }))
  const questions = told.flatMap(({ occasion, session, exchange }, index): readonly Question[] => {
    if (occasion.named === undefined) return []
    const time = occasion.named(sessions[session]?.startedAt ?? 0)
    const said = `${exchange.user}\n${exchange.assistant}`
    const text = random.pick(ASKED)(topic, time)
    return [{ id: `${id}-${index}`, kind: 'time', text, at: ASKED_AT, evidence: [sessionId(session)], outdated: [], said }]
  })
  return { planted: [...told, ...passing], questions }
}

export const planThemes = (sessions: readonly TimedExchanges[], random: SeededRandom): Plan => {
  const plans = THEMES.map((theme) => planTheme(theme, sessions, random))
  return { planted: plans.flatMap(({ planted }) => planted), questions: plans.flatMap(({ questions }) => questions) }
}
