/** What the user tells about projects at work. */
import type { FactKind } from './fact-kind.ts'

export const PROJECTS: readonly string[] = [
  ...[
    'Heron',
    'Osprey',
    'Lapwing',
    'Kestrel',
    'Bittern',
    'Dunlin',
    'Plover',
    'Merlin',
    'Siskin',
    'Wagtail',
    'Curlew',
    'Fulmar',
    'Gannet',
    'Pipit',
  ],
]

export const PROJECT_FACTS: readonly FactKind[] = [
  {
    id: 'database',
    values: ['PostgreSQL', 'MariaDB', 'DynamoDB', 'CockroachDB', 'Cassandra', 'ClickHouse', 'DuckDB'],
    said: ['We settled it: {who} stores its data in {value}.', 'For {who} the team decided to keep all data in {value}.'],
    replies: ['Good to have that decided. Then backups and migrations come next.', 'That fits the load. Watch the number of connections.'],
    changed: ['We changed course: {who} moves its data over to {value}.', 'After the outage {who} keeps its data in {value} instead.'],
    after: [
      'Write the backup job for that database, please. | The job dumps {who} every night at two, keeps fourteen days and tests a restore on Sundays.',
      'How do I rename a column there without downtime? | Add the new column, write both, backfill, switch reads, and drop the old one.',
    ],
    asked: {
      same: ['In what does {who} keep its data?', 'Where is the data of {who} stored?'],
      partly: ['What did the team decide for the data store of {who}?'],
      other: ['Which database does {who} use?', 'What DB is behind {who}?'],
    },
  },
  {
    id: 'deploy',
    values: ['Fly.io', 'Hetzner', 'a Kubernetes cluster in Frankfurt', 'Cloud Run', 'two old servers in the basement', 'Railway'],
    said: ['{who} is deployed on {value} since this morning.', 'Finally got {who} deployed on {value}, with a rollback script.'],
    replies: ['Nice. Is there an alert if the health check fails?', 'Then let us write down how to roll back, while it is fresh.'],
    changed: ['We left the old provider, {who} is deployed on {value} from today.'],
    after: [
      'Can you add a health check to the production setup? | There is a check every ten seconds now, and the proxy takes a sick instance out.',
      'What does hosting cost there in a month? | With the load of {who} about what two lunches cost, plus traffic.',
    ],
    asked: {
      same: ['On what is {who} deployed?'],
      partly: ['To which place did we get {who} deployed in the end?'],
      other: ['Where is {who} hosted?', 'Which platform runs {who} in production?'],
    },
  },
  {
    id: 'deadline',
    values: [
      'the 14th of September',
      'the last Friday of June',
      'the 3rd of December',
      'the 22nd of October',
      'the end of the first quarter',
      'the 9th of May',
    ],
    said: ['The client wants {who} finished by {value}.', '{who} has to be finished by {value}, the client was clear.'],
    replies: ['Then we should count backwards and leave two weeks for testing.', 'That is tight. What can be cut?'],
    changed: ['The client called about {who}: it must be finished by {value} now.'],
    after: [
      'Break that down into weeks for me. | Four weeks of building, two of testing, one of slack. The due day of {who} is close but possible.',
      'How do I tell the team about the date? | Plainly, with what you are willing to cut.',
    ],
    asked: {
      same: ['By when does the client want {who} finished?'],
      partly: ['What did the client say about the date of {who}?'],
      other: ['When is the deadline of {who}?', 'What is the due day for {who}?'],
    },
  },
  {
    id: 'language',
    values: ['Elixir', 'Rust', 'Kotlin', 'Haskell', 'Go', 'OCaml', 'Scala'],
    said: ['I am rewriting the backend of {who} in {value}.', 'The backend of {who} is being rewritten in {value}, my idea.'],
    replies: ['A rewrite is a good moment for better tests.', 'Go step by step, and keep the old service running beside it.'],
    changed: ['I gave up on that and started the backend of {who} again in {value}.'],
    after: [
      'Show me how errors are handled in it, coming from TypeScript. | As values, mostly. The compiler makes you look at each of them.',
      'Which web framework would you take there? | The boring one with the most downloads; {who} does not need magic in its code.',
    ],
    asked: {
      same: ['In what is the backend of {who} rewritten?'],
      partly: ['What did I choose for the backend of {who}?'],
      other: ['Which programming language is {who} in?', 'What is {who} coded with?'],
    },
  },
  {
    id: 'client',
    values: ['a ferry operator', 'the museum of clocks', 'a chain of bakeries', 'the port authority', 'a seed bank', 'a publisher of maps'],
    said: ['{who} is paid for by {value}, they signed the contract today.', 'The contract for {who} is signed, {value} pays for it.'],
    replies: ['Congratulations on the contract. When is the first invoice due?', 'Good. Keep the scope in writing.'],
    after: [
      'What should be in the first mail to the customer? | Who is who, when you meet, and what you need from them in the first week.',
      'How often do we invoice? | Monthly is kind to both sides.',
    ],
    asked: {
      same: ['Who signed the contract for {who}?', 'Who pays for {who}?'],
      partly: ['With whom is the contract of {who}?'],
      other: ['Who is the customer of {who}?', 'For which client are we building {who}?'],
    },
  },
  {
    id: 'budget',
    values: ['48,000 euros', '112,000 euros', '9,500 euros', '230,000 euros', '71,000 euros', '36,500 euros'],
    said: ['They approved {value} for {who}.', 'The board met, {value} were approved for {who}.'],
    replies: ['Better than nothing. How much of it is for people?', 'Then we can plan. I would keep a tenth in reserve.'],
    changed: ['The board met again: only {value} are approved for {who} now.'],
    after: [
      'Make a table of what that money goes to. | Two thirds people, a tenth hardware, a tenth travel, the rest reserve.',
      'Is there room for a designer in it? | Part time for three months, if {who} drops the second server.',
    ],
    asked: {
      same: ['How many euros were approved for {who}?'],
      partly: ['What sum was approved for {who}, all in all?'],
      other: ['What is the budget of {who}?', 'How much money may we spend on {who}?'],
    },
  },
  {
    id: 'port',
    values: ['4817', '9043', '7766', '5529', '8391', '6108'],
    said: [
      'The staging server of {who} listens on port {value}.',
      'I put the staging server of {who} on port {value}, because the usual one was taken.',
    ],
    replies: ['I will use that in the examples. Is the firewall open?', 'Fine. Put it into the environment file as well.'],
    changed: ['The staging server of {who} had a conflict and is on port {value} now.'],
    after: [
      'Write the curl call for the test environment. | It asks for /health on that number and prints the status only.',
      'Which firewall rule do I need? | Allow the office network to that port, deny the rest.',
    ],
    asked: {
      same: ['On which port is the staging server of {who}?'],
      partly: ['Which port did we give {who}?'],
      other: ['What number do I connect to for the test environment of {who}?'],
    },
  },
  {
    id: 'cause',
    values: [
      'a clock that was two minutes wrong',
      'a cache that never expired',
      'a missing index',
      'a leap day',
      'an integer overflow',
      'a retry without a limit',
    ],
    said: ['Found it! {who} crashed every night because of {value}.', 'It took all day, but {who} crashed because of {value}.'],
    replies: ['Well found. A test for it would keep it from coming back.', 'Those are the worst. Let us add a log line there.'],
    after: [
      'Write the incident report in five lines. | Impact, timeline, root cause, fix, and what changes so that the outage of {who} does not come back.',
      'Which test would have found that bug? | One with a fake clock and an empty cache, run for a simulated day.',
    ],
    asked: {
      same: ['Because of what did {who} crash, what was it that crashed {who}?'],
      partly: ['Why had {who} crashed?'],
      other: ['What was the root cause of the outage of {who}?', 'Which bug brought {who} down?'],
    },
  },
  {
    id: 'lead',
    values: ['Thorvald', 'Ngozi', 'Emiliana', 'Bogdan', 'Saoirse', 'Takumi', 'Valentina', 'Idris'],
    said: ['{value} takes over {who} from Monday on.', 'It is official, {value} takes over {who}.'],
    replies: ['Then a handover meeting this week would help.', 'Good. Who keeps the keys to production?'],
    changed: ['There was a reshuffle and {value} takes over {who} now.'],
    after: [
      'What belongs into the handover? | Access, open decisions, risks, and who to call. The lead of {who} should repeat it in their own words.',
      'How do I announce who is in charge now? | One line in the channel, before rumours do it.',
    ],
    asked: {
      same: ['Who takes over {who}?'],
      partly: ['Who was it that takes on {who}?'],
      other: ['Who leads {who}?', 'Who is in charge of {who}?'],
    },
  },
  {
    id: 'login',
    values: ['Keycloak', 'Auth0', 'passkeys', 'a magic link', 'Okta', 'client certificates'],
    said: ['People sign in to {who} with {value}.', 'We made it so that people sign in to {who} with {value} only.'],
    replies: ['Then sessions and revocation are the next questions.', 'Good for the users. What about the support desk?'],
    changed: ['Support was drowning, so now people sign in to {who} with {value}.'],
    after: [
      'Which authentication events should be logged? | Success, failure, reset and revocation, without secrets.',
      'How long should a session of {who} last after login? | Twelve hours for normal users, one for administrators.',
    ],
    asked: {
      same: ['With what do people sign in to {who}?'],
      partly: ['How do users sign in to {who}?'],
      other: ['What is the authentication of {who}?', 'How does the login of {who} work?'],
    },
  },
  {
    id: 'tests',
    values: ['Playwright', 'Cypress', 'Vitest', 'Jest', 'Gherkin files', 'property tests'],
    said: ['Everything in {who} is covered by {value} since Thursday.', 'We now cover the flows of {who} by {value}.'],
    replies: ['How long does a run take?', 'That should catch most regressions. Flaky ones need a quarantine.'],
    after: [
      'How do I run a single one of those tests? | By name pattern, with one worker.',
      'One test is flaky. | Run it a hundred times alone. If it never fails alone, look at the shared state.',
    ],
    asked: {
      same: ['By what is {who} covered, what do we cover {who} by?'],
      partly: ['What covers {who}, since we said it is covered?'],
      other: ['How is {who} tested?', 'Which test tool does {who} have?'],
    },
  },
  {
    id: 'licence',
    values: ['Apache 2.0', 'the AGPL', 'the MIT terms', 'a source-available text', 'the EUPL', 'the Mozilla terms'],
    said: ['The lawyer agrees that we publish {who} under {value}.', 'We will publish {who} under {value}, the lawyer has read it.'],
    replies: ['Then the headers and the NOTICE file need an update.', 'Good that someone read it to the end.'],
    after: [
      'Do contributors have to sign something then? | With that licence a sign-off line in each commit is usually enough.',
      'Where does the text go? | Into LICENSE at the root, and the name of it into the package file of {who}.',
    ],
    asked: {
      same: ['Under what do we publish {who}?'],
      partly: ['What did the lawyer say about {who}?'],
      other: ['What is the licence of {who}?', 'How is {who} licensed?'],
    },
  },
]
