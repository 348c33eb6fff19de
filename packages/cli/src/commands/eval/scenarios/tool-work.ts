/** Work with tools, most of whose results nobody needs again. */
import { DAY, type Scenario, type ScenarioTurn, WEEK } from '../scenario.ts'
import { logOf, smallTalk } from './small-talk.ts'

type Step = readonly [tool: string, result: string]

/** `steps` calls of tools, each with a result of about 800 tokens. */
const work = (at: number, steps: number, user: string, answer: string, last?: Step): ScenarioTurn => ({
  user,
  steps: [
    ...Array.from(
      { length: last ? steps - 1 : steps },
      (_, index): Step => [index % 2 === 0 ? 'terminal' : 'read_file', logOf(at * 10 + index)],
    ),
    ...(last ? [last] : []),
  ],
  answer,
})

const ASKS = [
  'Run the build once more and look at the queue.',
  'Which of the workers was the slowest?',
  'Look at the batches of the second hour.',
  'Does the order of the batches matter here?',
  'Try it with the other input file.',
  'Compare that with the run before.',
  'Is anything left in the queue?',
  'Count the lines of the log.',
] as const

const ANSWERS = [
  'It ran through; the queue is empty.',
  'The third one, by a little.',
  'They took longer than those of the first hour.',
  'Not as far as I can see.',
  'It ran with the other file as well.',
  'Both runs look the same.',
  'Nothing is left.',
  'There are as many as before.',
] as const

const ordinary = (count: number, from: number): readonly ScenarioTurn[] =>
  Array.from({ length: count }, (_, index) => {
    const at = from + index
    return work(at, 3 + (at % 3), ASKS[at % ASKS.length] ?? '', ANSWERS[at % ANSWERS.length] ?? '')
  })

/** One for each day. */
const WEEK_OF_FACTS: readonly ScenarioTurn[] = [
  ['My editor is Kakoune.', 'Good.'],
  ['Backups of the lab run at 03:30.', 'Noted.'],
  ['I want commit messages in the imperative.', 'In the imperative.'],
  ['The lab has no network on Sundays.', 'Noted.'],
  ['Call the big machine Bertha, we all do.', 'Bertha it is.'],
]

export const TOOL_WORK: readonly Scenario[] = [
  {
    id: 'a-flaky-build',
    kind: 'tools',
    sessions: [
      {
        turns: [
          work(1, 4, 'The import test fails now and then, but only on the Windows runners. Please look.', 'I have looked at the log.'),
          ...ordinary(4, 1),
          work(6, 4, 'Always pass --retry=0 when you run it, otherwise we see nothing.', 'With --retry=0 from now on.'),
          ...ordinary(5, 6),
        ],
        ends: 'end',
      },
    ],
    known: [{ all: ['import', 'windows'] }, { all: ['--retry=0|retry=0|retry 0'] }],
    questions: [{ ask: 'Which flag do I want you to pass when you run the import test?', answer: { all: ['retry'] } }],
  },
  {
    id: 'what-the-terminal-said',
    kind: 'tools',
    sessions: [
      {
        turns: [
          work(2, 3, 'Why does the installation stop?', 'The package needs libpq 16, and this machine has libpq 14.', [
            'terminal',
            'configure: error: libpq 16 is required, found libpq 14',
          ]),
          ...ordinary(4, 3),
          work(8, 3, 'And where does the service write its trace files?', 'It writes its trace files to /var/spool/harrier.', [
            'terminal',
            'harrier[212]: trace files go to /var/spool/harrier',
          ]),
          ...ordinary(5, 9),
        ],
        ends: 'end',
      },
      { afterMinutes: DAY, turns: smallTalk(3, 4), ends: 'end' },
    ],
    known: [{ all: ['libpq 16'] }, { all: ['trace', '/var/spool/harrier'] }],
    questions: [{ ask: 'Which version of libpq does the package need?', answer: { all: ['16'] } }],
  },
  {
    id: 'said-between-tools',
    kind: 'tools',
    sessions: [
      {
        turns: [
          ...ordinary(2, 0),
          work(3, 5, 'I am the release manager for the printer drivers, so show me the summary first.', 'The summary comes first.'),
          ...ordinary(4, 4),
          work(9, 3, 'Our freeze begins on the 20th of each month.', 'I have noted the freeze.'),
          ...ordinary(4, 10),
        ],
        ends: 'end',
      },
    ],
    known: [{ all: ['release manager', 'printer'] }, { all: ['summar*', 'first'] }, { all: ['freeze', '20th|20'] }],
    questions: [{ ask: 'When does our freeze begin?', answer: { all: ['20|20th'] } }],
  },
  {
    id: 'corrected-after-tools',
    kind: 'tools',
    sessions: [
      {
        turns: [work(4, 4, 'The staging database is called heron.', 'Connected to heron.'), ...ordinary(4, 2)],
        ends: 'end',
      },
      {
        afterMinutes: DAY,
        turns: [
          ...ordinary(2, 7),
          work(5, 4, 'No longer heron: the staging database is called egret.', 'Connected to egret.'),
          ...ordinary(3, 9),
        ],
        ends: 'end',
      },
    ],
    known: [{ all: ['staging', 'egret'] }],
    stale: [{ all: ['staging', 'heron'], none: ['no longer', 'not', 'formerly', 'previously', 'egret'] }],
    questions: [{ ask: 'What is the staging database called?', answer: { all: ['egret'] } }],
  },
  {
    id: 'the-tools-say-otherwise-now',
    kind: 'tools',
    sessions: [
      {
        turns: [
          work(6, 3, 'Which limit does the mail relay have?', 'The relay takes 500 messages an hour.', [
            'terminal',
            'relay: limit 500 messages per hour',
          ]),
          ...ordinary(10, 5),
        ],
        ends: 'end',
      },
      {
        afterMinutes: WEEK,
        turns: [
          work(7, 3, 'Has the limit changed?', 'Yes, the relay takes 800 messages an hour by now.', [
            'terminal',
            'relay: limit 800 messages per hour',
          ]),
          ...ordinary(10, 9),
        ],
        ends: 'end',
      },
    ],
    known: [{ all: ['relay', '800'] }],
    stale: [{ all: ['relay', '500'], none: ['800', 'formerly', 'previously', 'was', 'from'] }],
    questions: [{ ask: 'How many messages an hour does the relay take?', answer: { all: ['800'] } }],
  },
  {
    id: 'a-tool-was-wrong',
    kind: 'tools',
    sessions: [
      {
        turns: [
          work(8, 3, 'Which machine runs the nightly jobs?', 'The nightly jobs run on krill.', ['read_file', 'nightly: host=krill']),
          ...ordinary(10, 6),
        ],
        ends: 'end',
      },
      {
        afterMinutes: DAY,
        turns: [
          ['That file is out of date: the nightly jobs run on whelk.', 'Then on whelk.'],
          work(9, 3, 'Look at its log, please.', 'I have looked at it.'),
          ...ordinary(9, 2),
        ],
        ends: 'end',
      },
    ],
    known: [{ all: ['nightly', 'whelk'] }],
    stale: [{ all: ['nightly', 'krill'], none: ['not', 'no longer', 'whelk', 'formerly', 'previously', 'outdated'] }],
    questions: [{ ask: 'Which machine runs the nightly jobs?', answer: { all: ['whelk'] } }],
  },
  {
    id: 'a-tool-was-wrong-and-nothing-more',
    kind: 'tools',
    sessions: [
      {
        turns: [
          work(3, 3, 'How many seats does our licence have?', 'The licence has 25 seats.', ['read_file', 'licence: seats=25']),
          ...ordinary(10, 1),
        ],
        ends: 'end',
      },
      {
        afterMinutes: DAY,
        turns: [['Wrong: our licence has 40 seats since May.', 'Then 40 seats.'], ...smallTalk(3, 12)],
        ends: 'end',
      },
    ],
    known: [{ all: ['licence|license', '40'] }],
    stale: [{ all: ['licence|license', '25'], none: ['40', 'formerly', 'previously'] }],
    questions: [{ ask: 'How many seats does our licence have?', answer: { all: ['40'] } }],
  },
  {
    id: 'short-work-with-tools',
    kind: 'tools',
    sessions: Array.from({ length: 4 }, (_, day) => ({
      afterMinutes: DAY,
      turns: [
        day === 0
          ? work(1, 3, 'Where does the crawler keep its cache?', 'The crawler keeps its cache in /srv/crawl.', [
              'terminal',
              'crawler: cache in /srv/crawl',
            ])
          : work(day, 3, 'Run the crawler, please.', 'It ran.'),
        ...ordinary(4, 3 * day),
      ],
      ends: 'end',
    })),
    known: [{ all: ['crawler', '/srv/crawl'] }],
    questions: [{ ask: 'Where does the crawler keep its cache?', answer: { all: ['/srv/crawl'] } }],
  },
  {
    id: 'a-week-of-tool-work',
    kind: 'tools',
    sessions: WEEK_OF_FACTS.map((turn, day) => ({
      afterMinutes: day === 0 ? 5 : DAY,
      turns: [...ordinary(2, 4 * day), turn, ...ordinary(3, 4 * day + 2)],
    })),
    known: [
      { all: ['kakoune'] },
      { all: ['backup*', '03:30|3:30'] },
      { all: ['commit*', 'imperative'] },
      { all: ['network', 'sunday*'] },
      { all: ['bertha'] },
    ],
    questions: [{ ask: 'When do the backups of the lab run?', answer: { all: ['3:30|03:30'] } }],
  },
]
