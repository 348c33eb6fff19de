/** Something was wrong, and the person says so: the old must go, the new must stand. */
import { DAY, type Scenario, WEEK } from '../scenario.ts'
import { smallTalk } from './small-talk.ts'

const NOT_NOW = ['not', 'no longer', 'formerly', 'previously', 'used to', 'corrected', 'instead of', 'rather than']

export const CORRECTIONS: readonly Scenario[] = [
  {
    id: 'the-wrong-town',
    kind: 'correction',
    sessions: [
      { turns: [['For the weather, please: I live in Lisbon.', 'Sunny, 24 degrees.'], ...smallTalk(3, 0)], ends: 'end' },
      {
        afterMinutes: DAY,
        turns: [
          ...smallTalk(1, 3),
          ['A correction: I do not live in Lisbon, I live in Setúbal.', 'Then it is 23 degrees.'],
          ...smallTalk(2, 4),
        ],
        ends: 'end',
      },
    ],
    known: [{ all: ['setúbal'] }],
    stale: [{ all: ['lisbon'], none: [...NOT_NOW, 'setúbal'] }],
    questions: [{ ask: 'Where do I live?', answer: { all: ['setúbal'] } }],
  },
  {
    id: 'a-misspelt-name',
    kind: 'correction',
    sessions: [
      { turns: [['Hello, I am Caia from the archive.', 'Hello Caia.'], ...smallTalk(3, 6)], ends: 'end' },
      {
        afterMinutes: DAY,
        turns: [['You spell it wrong: my name is Kaia, with a K.', 'Sorry, Kaia.'], ...smallTalk(3, 9)],
        ends: 'end',
      },
    ],
    known: [{ all: ['kaia'] }, { all: ['archive'] }],
    stale: [{ all: ['caia'], none: [...NOT_NOW, 'kaia'] }],
    questions: [{ ask: 'How is my name spelt?', answer: { all: ['kaia'] } }],
  },
  {
    id: 'the-test-command-changed',
    kind: 'correction',
    sessions: [
      {
        turns: [['In the project lantern, tests run with npm test.', 'Good.'], ...smallTalk(9, 1), ['Lantern needs Node 22.', 'Good.']],
        ends: 'end',
      },
      {
        afterMinutes: WEEK,
        turns: [['That is outdated: in lantern, tests run with pnpm check.', 'Then pnpm check.'], ...smallTalk(3, 12)],
        ends: 'end',
      },
    ],
    known: [{ all: ['lantern', 'pnpm check'] }, { all: ['node 22|node.js 22'] }],
    stale: [{ all: ['npm test'], none: NOT_NOW }],
    questions: [{ ask: 'How do I run the tests of lantern?', answer: { all: ['pnpm check'] } }],
  },
  {
    id: 'the-wrong-nut',
    kind: 'correction',
    sessions: [
      {
        turns: [
          ['I cannot eat peanuts, they make me ill.', 'Understood.'],
          ...smallTalk(2, 15),
          ['I said peanuts, but I meant pistachios: I cannot eat pistachios, and peanuts are fine.', 'Pistachios, then.'],
          ...smallTalk(1, 17),
        ],
        ends: 'end',
      },
    ],
    known: [{ all: ['pistachio*'] }],
    stale: [{ all: ['peanut*'], none: [...NOT_NOW, 'fine', 'ok', 'okay', 'can eat', 'pistachio*'] }],
    questions: [{ ask: 'Which nuts make me ill?', answer: { all: ['pistachio*'] } }],
  },
  {
    id: 'taken-back',
    kind: 'correction',
    sessions: [
      {
        turns: [
          ['Remember that our office closes at 17:00.', 'I will.'],
          ...smallTalk(1, 2),
          ['The office is on the third floor of the mill.', 'Good.'],
          ...smallTalk(1, 5),
        ],
        ends: 'end',
      },
      {
        afterMinutes: DAY,
        turns: [['Please forget what I said about the closing time of the office, it is not true.', 'Forgotten.'], ...smallTalk(2, 7)],
        ends: 'end',
      },
    ],
    known: [{ all: ['office', 'third|3rd', 'mill'] }],
    stale: [{ all: ['17:00|5 pm|17'], none: NOT_NOW }],
    questions: [{ ask: 'On which floor is the office?', answer: { all: ['third|3rd'] } }],
  },
  {
    id: 'corrected-twice',
    kind: 'correction',
    sessions: [
      { turns: [['The gateway listens on port 8080.', 'Good.'], ...smallTalk(3, 4)], ends: 'end' },
      { afterMinutes: DAY, turns: [['No, the gateway listens on port 9090.', 'Changed.'], ...smallTalk(3, 8)], ends: 'end' },
      {
        afterMinutes: DAY,
        turns: [...smallTalk(2, 11), ['We moved it once more: the gateway listens on port 7070.', 'Changed again.'], ...smallTalk(1, 13)],
        ends: 'end',
      },
    ],
    known: [{ all: ['gateway', '7070'] }],
    stale: [
      { all: ['8080'], none: [...NOT_NOW, '7070'] },
      { all: ['9090'], none: [...NOT_NOW, '7070'] },
    ],
    questions: [{ ask: 'On which port does the gateway listen?', answer: { all: ['7070'] } }],
  },
  {
    id: 'the-agent-was-wrong',
    kind: 'correction',
    sessions: [
      {
        turns: [
          ['Which day do we publish the newsletter? We said Tuesday in spring.', 'On Tuesdays, then.'],
          ['No, wrong: the newsletter goes out on Fridays, and only after I have read it.', 'Fridays, and after your yes.'],
          ...smallTalk(4, 14),
        ],
      },
      { afterMinutes: DAY, turns: smallTalk(4, 18) },
    ],
    known: [{ all: ['newsletter', 'friday*'] }, { all: ['newsletter', 'read|reads|approv*|review*|yes'] }],
    stale: [{ all: ['newsletter', 'tuesday*'], none: [...NOT_NOW, 'friday*'] }],
    questions: [{ ask: 'On which day does the newsletter go out?', answer: { all: ['friday*'] } }],
  },
  {
    id: 'what-the-agent-noted',
    kind: 'correction',
    sessions: [
      {
        turns: [
          {
            user: 'My locker at the pool is number 14, remember that.',
            steps: [{ remember: ['user', 'Locker at the pool is number 14'] }],
            answer: 'Remembered.',
          },
          ...smallTalk(3, 2),
        ],
        ends: 'end',
      },
      {
        afterMinutes: DAY,
        turns: [...smallTalk(2, 6), ['They moved me: my locker at the pool is number 31.', 'I see.'], ...smallTalk(1, 9)],
        ends: 'end',
      },
    ],
    known: [{ all: ['locker', '31'] }],
    stale: [{ all: ['locker', '14'], none: [...NOT_NOW, '31'] }],
    questions: [{ ask: 'Which locker is mine?', answer: { all: ['31'] } }],
  },
  {
    id: 'yes-to-the-agent',
    kind: 'correction',
    sessions: [
      {
        turns: [
          ['The drafts come out in the wrong format again.', 'Shall I always write drafts as plain text files?'],
          ['Yes, exactly.', 'Plain text files from now on.'],
          ...smallTalk(2, 11),
        ],
        ends: 'end',
      },
    ],
    known: [{ all: ['plain text', 'draft*'] }],
    questions: [{ ask: 'In which format do I want drafts?', answer: { all: ['plain text'] } }],
  },
]
