/**
 * What a competent reviewer learns from a sentence, by the sentence itself: its subject and the entry to store. The scripted reviewer knows nothing else about the
 * scenarios and uses a sentence only if the request contains it.
 */
import type { MemoryTarget } from '@hermes/core'

/** The meaning of a sentence. */
export interface Meaning {
  readonly target: MemoryTarget
  /** Two statements about the same subject contradict each other. */
  readonly about: string
  /** `undefined` if the sentence retracts a statement. */
  readonly entry: string | undefined
}

/** A sentence that occurs once. */
export type Literal = readonly [says: string, target: MemoryTarget, about: string, entry: string | undefined]

/** Many sentences of one form. An entry is `topic: statement`; several statements of one topic can form one entry, separated by `; `. */
export interface SentenceForm {
  /** Matches the statement in a sentence and in an entry. */
  readonly says: RegExp
  readonly target: MemoryTarget
  readonly topic: string
  /** Subject and statement; without a statement, the sentence retracts one. */
  readonly read: (...groups: readonly string[]) => readonly [about: string, statement: string | undefined]
}

export const LITERALS: readonly Literal[] = [
  // facts
  ['my name is Marta Quintela and I run a bakery in Porto', 'user', 'marta', 'Marta Quintela, runs a bakery in Porto'],
  ['I am allergic to walnuts', 'user', 'marta allergy', 'Allergic to walnuts'],
  ['My oven is a deck oven with three levels', 'user', 'marta oven', 'Bakes in a deck oven with three levels'],
  [
    "The repository is called harrow, and its tests run with 'make verify'",
    'memory',
    'harrow tests',
    "Tests of harrow run with 'make verify'",
  ],
  [
    'Releases of harrow are cut from the branch stable, never from trunk',
    'memory',
    'harrow releases',
    'Releases of harrow are cut from stable',
  ],
  [
    'Our build machines have 4 GB of memory, so the build needs --jobs 2',
    'memory',
    'harrow build',
    'The build needs --jobs 2, since build machines have 4 GB of memory',
  ],
  ['We live in Ghent, in a house from 1931', 'user', 'ghent home', 'Lives in Ghent, in a house from 1931'],
  ['Our children are called Ilse and Bram', 'user', 'ghent children', 'Children are called Ilse and Bram'],
  ['On Thursdays I work from home', 'user', 'ghent work', 'Works from home on Thursdays'],
  ['Our family car is an electric van', 'user', 'ghent car', 'Family car is an electric van'],
  ['ich heiße Jörg Weidner und arbeite als Optiker in Bremen', 'user', 'weidner', 'Jörg Weidner, Optiker in Bremen'],
  ['Ich esse kein Fleisch', 'user', 'weidner food', 'Isst kein Fleisch'],
  ['Mein Laden hat montags geschlossen', 'user', 'weidner shop', 'Laden hat montags geschlossen'],
  ['me llamo Inés Robledo y doy clases de química en Sevilla', 'user', 'robledo', 'Inés Robledo, da clases de química en Sevilla'],
  ['Mis alumnos tienen entre 14 y 16 años', 'user', 'robledo pupils', 'Sus alumnos tienen entre 14 y 16 años'],
  ['Salome on my team looks after invoices', 'memory', 'salome', 'Salome looks after invoices'],
  ['Questions about the network go to Anton', 'memory', 'anton', 'Anton answers questions about the network'],
  ['Our designer is called Noor', 'memory', 'noor', 'The designer is called Noor'],
  ['私は大阪で料理人をしています', 'user', 'osaka', '大阪で料理人をしている'],
  ['エビのアレルギーがあります', 'user', 'osaka allergy', 'エビのアレルギーがある'],
  ['店の名前は「あおば」です', 'user', 'osaka shop', '店の名前は「あおば」'],
  ['I run these jobs for the harbour office in Koper', 'user', 'koper', 'Runs the jobs for the harbour office in Koper'],
  ['Reports go to Mojca by Thursday noon', 'memory', 'mojca', 'Reports go to Mojca by Thursday noon'],
  ['I am a stage manager in Malmö', 'user', 'malmö', 'Stage manager in Malmö'],
  ['My shows start at 19:30', 'user', 'shows', 'Shows start at 19:30'],
  ['I never work on Mondays', 'user', 'mondays', 'Never works on Mondays'],
  ['I keep the lighthouse on Fugløy', 'user', 'lighthouse', 'Keeps the lighthouse on Fugløy'],
  [
    'the cello? I began last year and practise before breakfast',
    'user',
    'cello',
    'Learns the cello since last year, practises before breakfast',
  ],
  ['I read these aloud to my nephew Sindre', 'user', 'sindre', 'Reads limericks aloud to nephew Sindre'],
  // corrections
  ['I live in Lisbon', 'user', 'setúbal', 'Lives in Lisbon'],
  ['I live in Setúbal', 'user', 'setúbal', 'Lives in Setúbal'],
  ['I am Caia from the archive', 'user', 'kaia', 'Caia from the archive'],
  ['my name is Kaia, with a K', 'user', 'kaia', 'Kaia from the archive, spelt with a K'],
  ['In the project lantern, tests run with npm test', 'memory', 'lantern tests', 'Tests of lantern run with npm test'],
  ['in lantern, tests run with pnpm check', 'memory', 'lantern tests', 'Tests of lantern run with pnpm check'],
  ['Lantern needs Node 22', 'memory', 'lantern node', 'Lantern needs Node 22'],
  ['I cannot eat peanuts', 'user', 'nuts', 'Cannot eat peanuts, they make them ill'],
  ['I cannot eat pistachios, and peanuts are fine', 'user', 'nuts', 'Cannot eat pistachios; peanuts are fine'],
  ['our office closes at 17:00', 'memory', 'office hours', 'The office closes at 17:00'],
  ['forget what I said about the closing time of the office', 'memory', 'office hours', undefined],
  ['The office is on the third floor of the mill', 'memory', 'office floor', 'The office is on the third floor of the mill'],
  ['The gateway listens on port 8080', 'memory', 'gateway', 'The gateway listens on port 8080'],
  ['the gateway listens on port 9090', 'memory', 'gateway', 'The gateway listens on port 9090'],
  ['the gateway listens on port 7070', 'memory', 'gateway', 'The gateway listens on port 7070'],
  ['do we publish the newsletter? We said Tuesday', 'memory', 'newsletter', 'The newsletter goes out on Tuesdays'],
  [
    'the newsletter goes out on Fridays, and only after I have read it',
    'memory',
    'newsletter',
    'The newsletter goes out on Fridays, and only after the user has read it',
  ],
  ['My locker at the pool is number 14', 'user', 'locker', 'Locker at the pool is number 14'],
  ['my locker at the pool is number 31', 'user', 'locker', 'Locker at the pool is number 31'],
  // contradictions
  ['My home is a small flat in Tartu', 'user', 'otepää', 'Home is a small flat in Tartu'],
  ['our home is a farm near Otepää', 'user', 'otepää', 'Home is a farm near Otepää'],
  ['I work as a nurse', 'user', 'ward', 'Works as a nurse in the children’s ward'],
  ['I drink my coffee black', 'user', 'coffee', 'Drinks coffee black'],
  ['My first month as a midwife is over', 'user', 'ward', 'Works as a midwife'],
  ['The billing service is written in Ruby', 'memory', 'billing language', 'The billing service is written in Ruby'],
  ['Billing keeps its data in MariaDB', 'memory', 'billing data', 'Billing keeps its data in MariaDB'],
  ['Billing is all Go now', 'memory', 'billing language', 'The billing service is written in Go'],
  ['I do not eat meat', 'user', 'meat', 'Does not eat meat'],
  ['I eat meat again, mostly lamb', 'user', 'meat', 'Eats meat, mostly lamb'],
  ['We have a dog called Pixel', 'user', 'pixel', 'Has a dog called Pixel'],
  ['Our new dog Vector is afraid of the stairs', 'user', 'vector', 'Has a dog called Vector, afraid of the stairs'],
  ['Tove leads our platform team', 'memory', 'platform lead', 'Tove leads the platform team'],
  ['The platform team has seven people', 'memory', 'platform size', 'The platform team has seven people'],
  ['Ask Rashid first, he leads the platform team now', 'memory', 'platform lead', 'Rashid leads the platform team'],
  // preferences
  ['Please keep your answers short', 'user', 'length', 'Prefers short answers'],
  ['from now on explain things at length', 'user', 'length', 'Prefers answers that explain things at length'],
  ['short answers again, please', 'user', 'length', 'Prefers short answers'],
  ['Answer in English, please, even if I write in French', 'user', 'language', 'Prefers answers in English'],
  ['please answer in French, I need the practice', 'user', 'language', 'Prefers answers in French, for practice'],
  ['Give distances in miles', 'user', 'unit', 'Prefers distances in miles'],
  ['I run half marathons', 'user', 'marathon', 'Runs half marathons'],
  ['distances in kilometres from now on', 'user', 'unit', 'Prefers distances in kilometres'],
  ['I indent my code with tabs', 'user', 'indent', 'Indents code with tabs'],
  ['And no semicolons in my TypeScript', 'user', 'semicolons', 'Writes TypeScript without semicolons'],
  ['two spaces for indentation', 'user', 'indent', 'Indents code with two spaces'],
  ['Call me Dr. Osei', 'user', 'kwame', 'Wants to be called Dr. Osei'],
  ['just call me Kwame', 'user', 'kwame', 'Wants to be called Kwame'],
  ['End each answer with a reminder to drink water', 'user', 'water', 'Wants a reminder to drink water at the end of each answer'],
  ['stop those reminders for good', 'user', 'water', undefined],
  ['I like examples from gardening', 'user', 'gardening', 'Likes examples from gardening'],
  // short sessions
  ['my name is Ada', 'user', 'ada', 'Name: Ada'],
  ['I was born in Graz', 'user', 'graz', 'Born in Graz'],
  ['I play handball on Mondays', 'user', 'handball', 'Plays handball on Mondays'],
  ['My sister Runa is a glazier', 'user', 'runa', 'Sister Runa is a glazier'],
  ['We keep bees behind the house', 'user', 'bees', 'Keeps bees behind the house'],
  ['I write with my left hand', 'user', 'hand', 'Writes with the left hand'],
  ['My bicycle is a tandem', 'user', 'tandem', 'Bicycle is a tandem'],
  ['I sleep badly at full moon', 'user', 'moon', 'Sleeps badly at full moon'],
  ['Our band rehearses in a former dairy', 'user', 'band', 'Band rehearses in a former dairy'],
  ['My favourite painter is Hilma af Klint', 'user', 'painter', 'Favourite painter is Hilma af Klint'],
  ['I grow tomatoes on the balcony', 'user', 'tomatoes', 'Grows tomatoes on the balcony'],
  ['I sing bass', 'user', 'voice', 'Sings bass'],
  ['I collect tram tickets', 'user', 'tram', 'Collects tram tickets'],
  ['I keep goats', 'user', 'goats', 'Keeps goats'],
  ['My goats are called Fern and Moss', 'user', 'goat names', 'The goats are called Fern and Moss'],
  ['I am a welder', 'user', 'welder', 'Works as a welder'],
  ['I am afraid of heights', 'user', 'heights', 'Afraid of heights'],
  ['My shift begins at six', 'user', 'shift', 'Shift begins at six'],
  ['Our canteen is closed on Wednesdays', 'memory', 'canteen', 'The canteen is closed on Wednesdays'],
  ['our canteen is closed on Thursdays', 'memory', 'canteen', 'The canteen is closed on Thursdays'],
  ['I repair pipe organs', 'user', 'organs', 'Repairs pipe organs'],
  ['Most of them stand in Friesland', 'user', 'friesland', 'Most of the organs stand in Friesland'],
  // work with tools
  [
    'The import test fails now and then, but only on the Windows runners',
    'memory',
    'import test',
    'The import test fails now and then, only on the Windows runners',
  ],
  ['Always pass --retry=0 when you run it', 'memory', 'import flags', 'The import test is run with --retry=0'],
  ['I am the release manager for the printer drivers', 'user', 'drivers', 'Release manager for the printer drivers'],
  ['show me the summary first', 'user', 'summary', 'Wants to see the summary first'],
  ['Our freeze begins on the 20th of each month', 'memory', 'freeze', 'The freeze begins on the 20th of each month'],
  ['The staging database is called heron', 'memory', 'staging', 'The staging database is called heron'],
  ['the staging database is called egret', 'memory', 'staging', 'The staging database is called egret'],
  ['My editor is Kakoune', 'user', 'editor', 'Editor is Kakoune'],
  ['Backups of the lab run at 03:30', 'memory', 'lab backups', 'Backups of the lab run at 03:30'],
  ['I want commit messages in the imperative', 'user', 'commits', 'Wants commit messages in the imperative'],
  ['The lab has no network on Sundays', 'memory', 'lab network', 'The lab has no network on Sundays'],
  ['Call the big machine Bertha', 'memory', 'bertha', 'The big machine is called Bertha'],
  ['the nightly jobs run on whelk', 'memory', 'nightly', 'The nightly jobs run on whelk'],
  ['our licence has 40 seats since May', 'memory', 'licence', 'The licence has 40 seats since May'],
  // plain talk
  ['I chair the works council in Emden', 'user', 'council', 'Chairs the works council in Emden'],
  ['I prefer numbered lists', 'user', 'lists', 'Prefers numbered lists'],
  ['My deputy is Femke', 'user', 'deputy', 'Deputy is Femke'],
  ['We close at noon on Fridays', 'memory', 'friday', 'Closes at noon on Fridays'],
  ['My new deputy is Joris', 'user', 'deputy', 'Deputy is Joris'],
]

/** Sentences of the agent, with or without a tool. */
export const FROM_AGENT: readonly Literal[] = [
  ['Plain text files from now on', 'user', 'drafts', 'Wants drafts as plain text files'],
  ['the relay takes 800 messages an hour by now', 'memory', 'relay', 'The relay takes 800 messages an hour'],
  ['The relay takes 500 messages an hour', 'memory', 'relay', 'The relay takes 500 messages an hour'],
  ['The nightly jobs run on krill', 'memory', 'nightly', 'The nightly jobs run on krill'],
  ['The licence has 25 seats', 'memory', 'licence', 'The licence has 25 seats'],
  ['The crawler keeps its cache in /srv/crawl', 'memory', 'crawler', 'The crawler keeps its cache in /srv/crawl'],
  ['The package needs libpq 16', 'memory', 'libpq', 'The package needs libpq 16'],
  [
    'It writes its trace files to /var/spool/harrier',
    'memory',
    'harrier',
    'The service harrier writes its trace files to /var/spool/harrier',
  ],
]

/** Sentences of the agent after a tool. */
export const FORMS_FROM_AGENT: readonly SentenceForm[] = [
  {
    says: /\bunit (k\d+) draws (\d+) watts from circuit (\d+)/,
    target: 'memory',
    topic: 'Power',
    read: (unit, watts, circuit) => [`power of ${unit}`, `unit ${unit} draws ${watts} watts from circuit ${circuit}`],
  },
]

/** For the scenarios with more facts than the stores can hold. */
export const FORMS: readonly SentenceForm[] = [
  {
    says: /\b(\w+) takes care of ([\w ]+?)(?: at our workshop)? and sits at desk (\d+)/,
    target: 'memory',
    topic: 'Workshop',
    read: (who, task, desk) => [`care of ${task}`, `${who} takes care of ${task} and sits at desk ${desk}`],
  },
  {
    says: /\b[Tt]he ([\w ]+) lies on shelf (\d+)(?: of the store room)?, behind (\d+) boxes/,
    target: 'memory',
    topic: 'Store room',
    read: (what, shelf, boxes) => [`shelf of ${what}`, `the ${what} lies on shelf ${shelf}, behind ${boxes} boxes of paper`],
  },
  {
    says: /\b(?:[Mm]y )?(\w+) needs (\d+) minutes(?: on our stove)? and then (\d+) minutes of rest/,
    target: 'user',
    topic: 'Cooking times',
    read: (dish, minutes, rest) => [`time of ${dish}`, `${dish} needs ${minutes} minutes and then ${rest} minutes of rest`],
  },
  {
    says: /\b(?:Our server )?(\w+) has (\d+) GB of memory and stands in rack (\d+)/,
    target: 'memory',
    topic: 'Servers',
    read: (server, size, rack) => [`memory of ${server}`, `${server} has ${size} GB of memory and stands in rack ${rack}`],
  },
  {
    says: /\b[Ii]n bed (\d+)(?: of my garden)? grows (\w+), sown in week (\d+)/,
    target: 'user',
    topic: 'Garden',
    read: (bed, plant, week) => [`bed of ${plant}`, `in bed ${bed} grows ${plant}, sown in week ${week}`],
  },
  {
    says: /\b(?:The supplier )?(\w+) delivers within (\d+) days and wants (\d+) percent/,
    target: 'memory',
    topic: 'Suppliers',
    read: (supplier, days, share) => [
      `delivery of ${supplier}`,
      `${supplier} delivers within ${days} days and wants ${share} percent at once`,
    ],
  },
  {
    says: /\b(?:Our choir sings )?the (\w+) in bar (\d+) too fast and page (\d+) too loud/,
    target: 'memory',
    topic: 'Choir sings',
    read: (piece, bar, page) => [`choir ${piece}`, `the ${piece} in bar ${bar} too fast and page ${page} too loud`],
  },
  {
    says: /\bOur choir no longer sings the (\w+) too fast/,
    target: 'memory',
    topic: 'Choir sings',
    read: (piece) => [`choir ${piece}`, undefined],
  },
  {
    says: /\b(?:The meeting room )?(\w+) seats (\d+) people and has (\d+) metres of cable/,
    target: 'memory',
    topic: 'Meeting rooms',
    read: (room, seats, metres) => [`seats of ${room}`, `${room} seats ${seats} people and has ${metres} metres of cable`],
  },
  {
    says: /\b(?:[Mm]y walk )?over (\w+) takes (\d+) minutes and passes (\d+) old windmills/,
    target: 'user',
    topic: 'Walks',
    read: (hill, minutes, mills) => [`walk over ${hill}`, `over ${hill} takes ${minutes} minutes and passes ${mills} old windmills`],
  },
  {
    says: /\b(?:I learned to play )?(\w+ number \d+) (?:when I was|at) (\d+), from a teacher of (\d+)/,
    target: 'user',
    topic: 'Learned to play',
    read: (piece, age, teacher) => [`learned ${piece}`, `${piece} at ${age}, from a teacher of ${teacher}`],
  },
]
