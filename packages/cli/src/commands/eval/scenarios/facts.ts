/** Plain facts about a person, a project and a household, said once and asked for later. */
import { DAY, type Scenario, WEEK } from '../scenario.ts'
import { logOf, smallTalk } from './small-talk.ts'

export const FACTS: readonly Scenario[] = [
  {
    id: 'baker-introduces-herself',
    kind: 'fact',
    sessions: [
      {
        turns: [
          ['Hi, my name is Marta Quintela and I run a bakery in Porto.', 'Nice to meet you, Marta. What shall we bake?'],
          ['I am allergic to walnuts, so keep that in mind when we talk about recipes.', 'Understood, no walnuts.'],
          ...smallTalk(2, 0),
        ],
        ends: 'end',
      },
      {
        afterMinutes: DAY,
        turns: [...smallTalk(1, 2), ['My oven is a deck oven with three levels.', 'Good for even heat.'], ...smallTalk(2, 3)],
        ends: 'end',
      },
    ],
    known: [
      { all: ['marta quintela'] },
      { all: ['bakery|baker', 'porto'] },
      { all: ['allerg*', 'walnut*'] },
      { all: ['deck oven', 'three|3'] },
    ],
    questions: [
      { ask: 'What is my full name?', answer: { all: ['marta quintela'] } },
      { ask: 'Which nuts must I avoid?', answer: { all: ['walnut*'] } },
    ],
  },
  {
    id: 'how-the-repository-works',
    kind: 'fact',
    sessions: [
      {
        turns: [
          ["The repository is called harrow, and its tests run with 'make verify'.", 'Good, make verify then.'],
          ...smallTalk(4, 4),
          ['Releases of harrow are cut from the branch stable, never from trunk.', 'Noted.'],
          ...smallTalk(4, 8),
          ['Our build machines have 4 GB of memory, so the build needs --jobs 2.', 'I will keep the number of jobs low.'],
          ...smallTalk(2, 12),
        ],
        ends: 'end',
      },
      { afterMinutes: DAY, turns: smallTalk(3, 14), ends: 'end' },
    ],
    known: [{ all: ['harrow', 'make verify'] }, { all: ['release*', 'stable'] }, { all: ['--jobs 2|jobs 2|2 jobs|two jobs'] }],
    questions: [
      { ask: 'How do I run the tests of harrow?', answer: { all: ['make verify'] } },
      { ask: 'From which branch are releases cut?', answer: { all: ['stable'] } },
    ],
  },
  {
    id: 'a-household-in-ghent',
    kind: 'fact',
    sessions: [
      { turns: [['We live in Ghent, in a house from 1931.', 'A fine age for a house.'], ...smallTalk(3, 1)] },
      {
        afterMinutes: DAY,
        turns: [...smallTalk(2, 5), ['Our children are called Ilse and Bram.', 'Lovely names.'], ...smallTalk(1, 7)],
      },
      { afterMinutes: DAY, turns: [['On Thursdays I work from home.', 'Good to know.'], ...smallTalk(3, 8)] },
      { afterMinutes: DAY, turns: [...smallTalk(3, 11), ['Our family car is an electric van.', 'Roomy.']] },
    ],
    known: [{ all: ['ghent'] }, { all: ['ilse', 'bram'] }, { all: ['thursday*', 'home'] }, { all: ['electric', 'van'] }],
    questions: [
      { ask: 'What are my children called?', answer: { all: ['ilse', 'bram'] } },
      { ask: 'In which town do we live?', answer: { all: ['ghent|gent'] } },
    ],
  },
  {
    id: 'an-optician-in-german',
    kind: 'fact',
    sessions: [
      {
        turns: [
          ['Guten Tag, ich heiße Jörg Weidner und arbeite als Optiker in Bremen.', 'Guten Tag, Herr Weidner.'],
          ['Wie viele Dioptrien hat eine starke Lesebrille?', 'Meist drei bis vier.'],
          ['Ich esse kein Fleisch, das gilt für alle Rezepte.', 'Gut, dann ohne Fleisch.'],
          ['Was reimt sich auf Brille?', 'Stille, Wille und Grille.'],
        ],
        ends: 'end',
      },
      {
        afterMinutes: WEEK,
        turns: [
          ['Mein Laden hat montags geschlossen.', 'Dann ist montags Zeit für anderes.'],
          ['Wie schreibt man Rhythmus?', 'Mit zwei h: Rhythmus.'],
          ['Danke, das war alles.', 'Gern.'],
        ],
        ends: 'end',
      },
    ],
    known: [
      { all: ['weidner', 'jörg'] },
      { all: ['optiker|optician', 'bremen'] },
      { all: ['fleisch|meat|vegetari*'] },
      { all: ['montag*|monday*', 'geschlossen|closed|zu'] },
    ],
    questions: [{ ask: 'Was bin ich von Beruf?', answer: { all: ['optiker'] } }],
  },
  {
    id: 'a-teacher-in-spanish',
    kind: 'fact',
    sessions: [
      {
        turns: [
          ['Hola, me llamo Inés Robledo y doy clases de química en Sevilla.', 'Encantado, Inés.'],
          ['¿Cuántos protones tiene el neón?', 'Diez.'],
          ['Mis alumnos tienen entre 14 y 16 años.', 'Buena edad para la química.'],
          ['Gracias, eso es todo.', 'De nada.'],
        ],
        ends: 'end',
      },
      { afterMinutes: DAY, turns: smallTalk(3, 9), ends: 'end' },
    ],
    known: [{ all: ['inés robledo'] }, { all: ['química|chemistry', 'sevilla|seville'] }, { all: ['14', '16'] }],
    questions: [{ ask: '¿Qué asignatura enseño?', answer: { all: ['química'] } }],
  },
  {
    id: 'who-does-what',
    kind: 'fact',
    sessions: [
      { turns: [['Salome on my team looks after invoices.', 'Noted.'], ...smallTalk(4, 2)], ends: 'end' },
      { afterMinutes: 90, turns: [['Questions about the network go to Anton.', 'Good.'], ...smallTalk(4, 6)], ends: 'end' },
      { afterMinutes: DAY, turns: [...smallTalk(2, 10), ['Our designer is called Noor.', 'Good.'], ...smallTalk(1, 13)], ends: 'end' },
    ],
    known: [{ all: ['salome', 'invoic*'] }, { all: ['anton', 'network'] }, { all: ['noor', 'design*'] }],
    questions: [
      { ask: 'Whom do I ask about the network?', answer: { all: ['anton'] } },
      { ask: 'Who looks after invoices?', answer: { all: ['salome'] } },
    ],
  },
  {
    id: 'a-cook-in-japanese',
    kind: 'fact',
    sessions: [
      {
        turns: [
          ['こんにちは。私は大阪で料理人をしています。', 'こんにちは。どんな料理ですか。'],
          ['エビのアレルギーがあります。', '気をつけます。'],
          ['卵は何分でゆでますか。', '十分ほどです。'],
        ],
        ends: 'end',
      },
      { afterMinutes: DAY, turns: [['店の名前は「あおば」です。', 'いい名前ですね。'], ...smallTalk(2, 3)], ends: 'end' },
    ],
    known: [
      { all: ['*大阪*|osaka', '*料理人*|cook|chef'] },
      { all: ['*エビ*|*海老*|shrimp*|prawn*', '*アレルギー*|allerg*'] },
      { all: ['*あおば*|aoba'] },
    ],
    questions: [{ ask: '私の店の名前は何ですか。', answer: { all: ['*あおば*|aoba'] } }],
  },
  {
    id: 'behind-a-long-paste',
    kind: 'fact',
    sessions: [
      {
        turns: [
          [`${logOf(3, 110)}\nThat was all of it. I run these jobs for the harbour office in Koper.`, 'I have read the log.'],
          [`And this is from today:\n${logOf(4, 60)}\nCan you see why queue 3 grows?`, 'Worker 3 is slow.'],
          ['Good. Reports go to Mojca by Thursday noon, always.', 'By Thursday noon.'],
        ],
        ends: 'end',
      },
    ],
    known: [{ all: ['harbour office|harbor office', 'koper'] }, { all: ['mojca', 'thursday*'] }],
    questions: [{ ask: 'To whom do reports go?', answer: { all: ['mojca'] } }],
  },
  {
    id: 'behind-a-window',
    kind: 'fact',
    sessions: [
      {
        window: 6,
        turns: [
          ['I am a stage manager in Malmö.', 'Break a leg.'],
          ...smallTalk(8, 0),
          ['My shows start at 19:30.', 'Noted.'],
          ...smallTalk(8, 9),
          ['I never work on Mondays.', 'Noted.'],
          ...smallTalk(6, 17),
        ],
        ends: 'end',
      },
    ],
    known: [{ all: ['stage manager', 'malmö'] }, { all: ['19:30|7:30'] }, { all: ['monday*'] }],
    questions: [{ ask: 'When do my shows start?', answer: { all: ['19:30|7:30'] } }],
  },
  {
    id: 'said-in-passing',
    kind: 'fact',
    sessions: [
      {
        turns: [
          ['Write a limerick about a lighthouse. I keep the lighthouse on Fugløy, by the way.', 'There once was a lamp by the sea …'],
          ...smallTalk(5, 3),
          ['Is 40 too old to learn the cello? I began last year and practise before breakfast.', 'Not at all.'],
          ...smallTalk(5, 8),
          ['Make the last line funnier, please; I read these aloud to my nephew Sindre.', 'Gladly: …'],
        ],
        ends: 'end',
      },
    ],
    known: [{ all: ['lighthouse', 'fugløy'] }, { all: ['cello'] }, { all: ['nephew', 'sindre'] }],
    questions: [{ ask: 'Which instrument am I learning?', answer: { all: ['cello'] } }],
  },
]
