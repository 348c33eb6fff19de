/** How the person wants to be answered and how they like to work: wishes that change, some of them back again. */
import { DAY, type Scenario, WEEK } from '../scenario.ts'
import { smallTalk } from './small-talk.ts'

const PAST = ['formerly', 'previously', 'used to', 'no longer', 'not', 'instead of', 'rather than', 'over', 'except']

export const PREFERENCES: readonly Scenario[] = [
  {
    id: 'short-long-short',
    kind: 'preference',
    sessions: [
      { turns: [['Please keep your answers short.', 'I will.'], ...smallTalk(3, 0)], ends: 'end' },
      {
        afterMinutes: DAY,
        turns: [['I am learning, so from now on explain things at length.', 'With pleasure.'], ...smallTalk(3, 4)],
        ends: 'end',
      },
      {
        afterMinutes: WEEK,
        turns: [['I have learned enough; short answers again, please.', 'Short, then.'], ...smallTalk(3, 8)],
        ends: 'end',
      },
    ],
    known: [{ all: ['short|brief|concise', 'answer*|repl*|response*|explanation*'] }],
    stale: [{ all: ['at length|long|detailed|in depth|lengthy|thorough'], none: [...PAST, 'short', 'brief', 'concise'] }],
    questions: [{ ask: 'How long do I want your answers to be?', answer: { all: ['short|brief|concise'] } }],
  },
  {
    id: 'french-from-now-on',
    kind: 'preference',
    sessions: [
      { turns: [['Answer in English, please, even if I write in French.', 'In English, then.'], ...smallTalk(3, 2)], ends: 'end' },
      {
        afterMinutes: DAY,
        turns: [...smallTalk(3, 6), ['From today, please answer in French, I need the practice.', 'D’accord.'], ...smallTalk(1, 10)],
        ends: 'end',
      },
    ],
    known: [{ all: ['french|français'] }],
    stale: [{ all: ['answer*|repl*|prefer*|speak*|write*', 'english'], none: [...PAST, 'french'] }],
    questions: [{ ask: 'In which language do I want your answers?', answer: { all: ['french|français'] } }],
  },
  {
    id: 'miles-and-kilometres',
    kind: 'preference',
    sessions: [
      {
        turns: [
          ['Give distances in miles.', 'Miles it is.'],
          ...smallTalk(4, 12),
          ['I run half marathons.', 'Impressive.'],
          ...smallTalk(5, 17),
        ],
        ends: 'end',
      },
      {
        afterMinutes: 2 * WEEK,
        turns: [['I have moved to the continent: distances in kilometres from now on.', 'Kilometres, then.'], ...smallTalk(2, 1)],
        ends: 'end',
      },
    ],
    known: [{ all: ['kilomet*|km'] }, { all: ['half marathon*'] }],
    stale: [{ all: ['miles'], none: [...PAST, 'kilomet*', 'km'] }],
    questions: [{ ask: 'In which unit do I want distances?', answer: { all: ['kilomet*|km'] } }],
  },
  {
    id: 'tabs-and-spaces',
    kind: 'preference',
    sessions: [
      {
        turns: [
          ['I indent my code with tabs.', 'Tabs.'],
          ['And no semicolons in my TypeScript.', 'Without semicolons.'],
          ...smallTalk(3, 9),
        ],
        ends: 'end',
      },
      {
        afterMinutes: DAY,
        turns: [...smallTalk(2, 13), ['We agreed in the team: two spaces for indentation.', 'Two spaces.'], ...smallTalk(2, 15)],
        ends: 'end',
      },
    ],
    known: [{ all: ['two|2', 'space*'] }, { all: ['semicolon*'] }],
    stale: [{ all: ['tabs'], none: [...PAST, 'two spaces', '2 spaces'] }],
    questions: [{ ask: 'How is my code indented?', answer: { all: ['space*'] } }],
  },
  {
    id: 'how-to-be-addressed',
    kind: 'preference',
    sessions: [
      { turns: [['Call me Dr. Osei.', 'Certainly, Dr. Osei.'], ...smallTalk(4, 3)] },
      { afterMinutes: DAY, turns: [...smallTalk(4, 7), ['Less formal, please: just call me Kwame.', 'Kwame it is.']] },
      { afterMinutes: DAY, turns: smallTalk(5, 11) },
    ],
    known: [{ all: ['kwame'] }],
    stale: [{ all: ['dr. osei|dr osei'], none: [...PAST, 'kwame'] }],
    questions: [{ ask: 'What should you call me?', answer: { all: ['kwame'] } }],
  },
  {
    id: 'no-more-reminders',
    kind: 'preference',
    sessions: [
      {
        turns: [
          ['End each answer with a reminder to drink water.', 'Here you go, and drink some water.'],
          ...smallTalk(2, 16),
          ['I like examples from gardening.', 'From gardening, good.'],
          ...smallTalk(1, 19),
        ],
        ends: 'end',
      },
      { afterMinutes: WEEK, turns: [['Enough water: stop those reminders for good.', 'I will stop.'], ...smallTalk(2, 5)], ends: 'end' },
    ],
    known: [{ all: ['garden*'] }],
    stale: [{ all: ['water', 'remind*'], none: [...PAST, 'stop', 'stopped', 'no', 'without', "don't", 'never', 'do not'] }],
    questions: [{ ask: 'From which field do I like examples?', answer: { all: ['garden*'] } }],
  },
]
