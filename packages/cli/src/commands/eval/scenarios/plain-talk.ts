/** Plain talk of the length that it has in offices: about 300 tokens a turn, without tools. */
import { DAY, type Scenario, type ScenarioTurn } from '../scenario.ts'
import { longAnswer } from './small-talk.ts'

const office = (at: number, user: string): ScenarioTurn => [
  `${user} Take your time and tell me what you would look at first, what speaks for it and what speaks against it, in whole sentences, as if you wrote to a colleague.`,
  longAnswer(at),
]

const OFFICE_ASKS = [
  'How would you begin to plan the move of a small library?',
  'How do I choose between two offers for new windows?',
  'What makes a good agenda for a meeting of an hour?',
  'How do I compare three suppliers of paper?',
  'How would you test a new opening time?',
  'What is a fair way to share the rota of the holidays?',
  'How do I write a rule that people keep?',
  'What would you measure before a shop is rebuilt?',
  'How do I find out why fewer people come on Saturdays?',
  'How would you close a project that has gone on too long?',
] as const

export const PLAIN_TALK: readonly Scenario[] = [
  {
    id: 'ten-plain-turns',
    kind: 'plain',
    sessions: [
      {
        turns: OFFICE_ASKS.map((ask, at) =>
          office(at, at === 2 ? `${ask} I chair the works council in Emden.` : at === 6 ? `${ask} I prefer numbered lists.` : ask),
        ),
      },
    ],
    known: [{ all: ['works council', 'emden'] }, { all: ['numbered list*'] }],
    questions: [{ ask: 'What do I chair?', answer: { all: ['works council'] } }],
  },
  {
    id: 'thirty-plain-turns',
    kind: 'plain',
    sessions: Array.from({ length: 3 }, (_, week) => ({
      afterMinutes: DAY,
      turns: OFFICE_ASKS.map((ask, at) =>
        office(
          at + 10 * week,
          at === 4 ? `${ask} ${['My deputy is Femke.', 'We close at noon on Fridays.', 'My new deputy is Joris.'][week]}` : ask,
        ),
      ),
    })),
    known: [{ all: ['deputy', 'joris'] }, { all: ['friday*', 'noon|12'] }],
    stale: [{ all: ['deputy', 'femke'], none: ['joris', 'former', 'formerly', 'previously', 'until'] }],
    questions: [{ ask: 'Who is my deputy?', answer: { all: ['joris'] } }],
  },
]
