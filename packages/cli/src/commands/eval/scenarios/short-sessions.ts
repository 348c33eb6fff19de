/** People chat in short sessions: counts and words must outlive each of them. */
import { DAY, type Scenario } from '../scenario.ts'
import { smallTalk } from './small-talk.ts'

/** One for each of twelve sessions. */
const TWELVE: readonly (readonly [says: string, words: readonly string[]])[] = [
  ['I was born in Graz.', ['graz']],
  ['I play handball on Mondays.', ['handball']],
  ['My sister Runa is a glazier.', ['runa', 'glazier']],
  ['We keep bees behind the house.', ['bees|beehive*|beekeep*']],
  ['I write with my left hand.', ['left']],
  ['My bicycle is a tandem.', ['tandem']],
  ['I sleep badly at full moon.', ['moon']],
  ['Our band rehearses in a former dairy.', ['band', 'dairy']],
  ['My favourite painter is Hilma af Klint.', ['hilma af klint']],
  ['I grow tomatoes on the balcony.', ['tomato*', 'balcony']],
  ['I sing bass.', ['bass']],
  ['I collect tram tickets.', ['tram']],
]

const twelve = (id: string, afterMinutes: number): Scenario => ({
  id,
  kind: 'short',
  sessions: TWELVE.map(([says], index) => ({ afterMinutes, turns: [[says, 'Good to know.'], ...smallTalk(4, index * 4)] })),
  known: TWELVE.map(([, all]) => ({ all })),
  questions: [{ ask: 'Which instrument of the choir am I: what do I sing?', answer: { all: ['bass'] } }],
})

export const SHORT_SESSIONS: readonly Scenario[] = [
  {
    id: 'my-name-is-ada',
    kind: 'short',
    sessions: [{ turns: [['my name is Ada', 'Hello Ada!']], ends: 'quit' }],
    known: [{ all: ['ada'] }],
    questions: [{ ask: 'what is my name?', answer: { all: ['ada'] } }],
  },
  twelve('twelve-by-five', 5),
  twelve('twelve-by-five-a-day-apart', DAY),
  {
    id: 'one-turn-a-day',
    kind: 'short',
    sessions: Array.from({ length: 13 }, (_, index) => ({
      afterMinutes: DAY,
      turns:
        index === 0
          ? [['I keep goats.', 'How many?'] as const]
          : index === 5
            ? [['My goats are called Fern and Moss.', 'Lovely.'] as const]
            : smallTalk(1, index),
    })),
    known: [{ all: ['goat*'] }, { all: ['fern', 'moss'] }],
    questions: [{ ask: 'What are my goats called?', answer: { all: ['fern', 'moss'] } }],
  },
  {
    id: 'two-turns-and-quit',
    kind: 'short',
    sessions: [
      { turns: [['I am a welder.', 'Good.'], ...smallTalk(1, 1)], ends: 'quit' },
      { afterMinutes: 60, turns: [...smallTalk(1, 2), ['I am afraid of heights.', 'Understood.']], ends: 'quit' },
      { afterMinutes: DAY, turns: [['My shift begins at six.', 'Early.'], ...smallTalk(1, 3)], ends: 'quit' },
    ],
    known: [{ all: ['welder|welding'] }, { all: ['height*'] }, { all: ['shift', 'six|6|6:00|6 am'] }],
    questions: [{ ask: 'When does my shift begin?', answer: { all: ['six|6|6:00|06:00'] } }],
  },
  {
    id: 'corrected-in-the-next-chat',
    kind: 'short',
    sessions: [
      { turns: [['Our canteen is closed on Wednesdays.', 'Noted.'], ...smallTalk(2, 5)], ends: 'quit' },
      { turns: [['I was wrong: our canteen is closed on Thursdays.', 'Corrected.']], ends: 'quit' },
    ],
    known: [{ all: ['canteen', 'thursday*'] }],
    stale: [{ all: ['canteen', 'wednesday*'], none: ['not', 'thursday*'] }],
    questions: [{ ask: 'On which day is the canteen closed?', answer: { all: ['thursday*'] } }],
  },
  {
    id: 'three-turns-then-silence',
    kind: 'short',
    sessions: [
      {
        turns: [['I repair pipe organs.', 'A rare trade.'], ['Most of them stand in Friesland.', 'A land of organs.'], ...smallTalk(1, 8)],
      },
    ],
    known: [{ all: ['organ*'] }, { all: ['friesland'] }],
    questions: [{ ask: 'What do I repair?', answer: { all: ['organ*'] } }],
  },
]
