/** Life goes on: what is said later excludes what was said before, without a word about it. Some only look so, and both must stay. */
import { DAY, type Scenario, WEEK } from '../scenario.ts'
import { smallTalk } from './small-talk.ts'

const PAST = ['formerly', 'previously', 'used to', 'until', 'before', 'no longer', 'not', 'moved', 'former', 'ex', 'was', 'retired']

export const CONTRADICTIONS: readonly Scenario[] = [
  {
    id: 'moved-to-a-farm',
    kind: 'contradiction',
    sessions: [
      { turns: [['My home is a small flat in Tartu.', 'Cosy.'], ...smallTalk(3, 3)], ends: 'end' },
      {
        afterMinutes: 6 * WEEK,
        turns: [...smallTalk(2, 7), ['Since last month our home is a farm near Otepää.', 'Congratulations.'], ...smallTalk(1, 9)],
        ends: 'end',
      },
    ],
    known: [{ all: ['farm', 'otepää'] }],
    stale: [{ all: ['flat|apartment', 'tartu'], none: [...PAST, 'otepää'] }],
    questions: [{ ask: 'Where is my home?', answer: { all: ['otepää'] } }],
  },
  {
    id: 'another-job',
    kind: 'contradiction',
    sessions: [
      {
        turns: [
          ['I work as a nurse in the children’s ward.', 'A demanding job.'],
          ...smallTalk(2, 11),
          ['I drink my coffee black.', 'Noted.'],
          ...smallTalk(7, 13),
        ],
      },
      {
        afterMinutes: 10 * WEEK,
        turns: [['My first month as a midwife is over, and I like it much better.', 'Good to hear.'], ...smallTalk(4, 0)],
        ends: 'end',
      },
    ],
    known: [{ all: ['midwife'] }, { all: ['coffee', 'black'] }],
    stale: [{ all: ['nurse'], none: [...PAST, 'midwife'] }],
    questions: [{ ask: 'What is my job?', answer: { all: ['midwife'] } }],
  },
  {
    id: 'written-anew-in-go',
    kind: 'contradiction',
    sessions: [
      {
        turns: [
          ['The billing service is written in Ruby.', 'Good.'],
          ...smallTalk(2, 5),
          ['Billing keeps its data in MariaDB.', 'Good.'],
          ...smallTalk(1, 8),
        ],
        ends: 'end',
      },
      {
        afterMinutes: 8 * WEEK,
        turns: [['Billing is all Go now; the last of the old code was switched off on Monday.', 'A big step.'], ...smallTalk(3, 10)],
        ends: 'end',
      },
    ],
    known: [{ all: ['billing', 'go|golang'] }, { all: ['billing', 'mariadb'] }],
    stale: [{ all: ['billing', 'ruby'], none: [...PAST, 'go', 'golang'] }],
    questions: [{ ask: 'In which language is the billing service written?', answer: { all: ['go|golang'] } }],
  },
  {
    id: 'meat-again',
    kind: 'contradiction',
    sessions: [
      { turns: [['I do not eat meat.', 'Understood.'], ...smallTalk(3, 14)], ends: 'end' },
      { afterMinutes: WEEK, turns: smallTalk(4, 16), ends: 'end' },
      {
        afterMinutes: 12 * WEEK,
        turns: [...smallTalk(1, 2), ['These days I eat meat again, mostly lamb.', 'Then lamb it is.'], ...smallTalk(2, 4)],
        ends: 'end',
      },
    ],
    known: [{ all: ['eat*', 'lamb'] }],
    stale: [{ all: ['does not eat meat|no meat|vegetarian'], none: ['formerly', 'previously', 'used to', 'until', 'again'] }],
    questions: [{ ask: 'May a recipe for me contain meat?', answer: { all: ['yes|lamb|eat meat|can contain|may contain'] } }],
  },
  {
    id: 'a-second-dog',
    kind: 'contradiction',
    sessions: [
      { turns: [['We have a dog called Pixel.', 'A good name.'], ...smallTalk(3, 6)], ends: 'end' },
      {
        afterMinutes: 4 * WEEK,
        turns: [['Our new dog Vector is afraid of the stairs.', 'Give it time.'], ...smallTalk(3, 12)],
        ends: 'end',
      },
    ],
    known: [{ all: ['dog*', 'pixel'] }, { all: ['dog*', 'vector'] }],
    questions: [{ ask: 'What are my dogs called?', answer: { all: ['pixel', 'vector'] } }],
  },
  {
    id: 'a-new-lead',
    kind: 'contradiction',
    sessions: [
      { turns: [['Tove leads our platform team.', 'Noted.'], ...smallTalk(4, 0)] },
      { afterMinutes: 3 * DAY, turns: [['The platform team has seven people.', 'Noted.'], ...smallTalk(4, 5)] },
      { afterMinutes: 5 * WEEK, turns: [['Ask Rashid first, he leads the platform team now.', 'I will.'], ...smallTalk(4, 10)] },
    ],
    known: [{ all: ['rashid', 'platform', 'lead*'] }, { all: ['platform', 'seven|7'] }],
    stale: [{ all: ['tove', 'lead*'], none: [...PAST, 'rashid'] }],
    questions: [{ ask: 'Who leads the platform team?', answer: { all: ['rashid'] } }],
  },
]
