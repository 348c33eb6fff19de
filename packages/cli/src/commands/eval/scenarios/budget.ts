/** More facts than the stores hold at their default limits: nothing may be lost, and what was said last is at hand. */
import { DAY, type FactPattern, type Scenario, type ScenarioTurn } from '../scenario.ts'
import { smallTalk } from './small-talk.ts'

/** One fact of a generated scenario: what the person says, and how it is recognised. */
interface Said {
  readonly says: string
  readonly fact: FactPattern
}

const TASKS = [
  'the rota',
  'payroll',
  'the print shop',
  'first aid',
  'the boiler',
  'visitor badges',
  'the archive room',
  'parking',
  'the phone line',
  'travel bookings',
] as const

const TEAM = ['Nadia', 'Omar', 'Petra', 'Quentin', 'Rosa', 'Sven', 'Tamar', 'Ulrich', 'Vera', 'Wanda'] as const

const SHELVES = ['twine', 'lamp oil', 'seed trays', 'brass hinges', 'sandpaper', 'beeswax', 'corks', 'felt', 'rivets', 'chalk'] as const

const DISHES = ['goulash', 'risotto', 'borscht', 'paella', 'dal', 'ramen', 'pierogi', 'moussaka', 'ceviche', 'tagine'] as const

const HOSTS = ['alder', 'birch', 'cedar', 'dogwood', 'elder', 'fir', 'gorse', 'hazel', 'ivy', 'juniper'] as const

const PLANTS = ['quince', 'medlar', 'rhubarb', 'fennel', 'sorrel', 'lovage', 'chicory', 'salsify', 'borage', 'chervil'] as const

const SUPPLIERS = ['Aurelia', 'Bexley', 'Corvin', 'Dornach', 'Estrel', 'Farrow', 'Gantry', 'Hollis', 'Ibsley', 'Jarrow'] as const

const SCORES = ['Elegy', 'Fugue', 'Gavotte', 'Humoresque', 'Impromptu', 'Lament', 'Mazurka', 'Nocturne', 'Overture', 'Partita'] as const

const ROOMS = ['Amsel', 'Biber', 'Dachs', 'Eule', 'Fuchs', 'Gans', 'Hase', 'Igel', 'Krebs', 'Luchs'] as const

const WALKS = ['Ashdown', 'Birling', 'Cissbury', 'Ditchling', 'Exceat', 'Firle', 'Glynde', 'Heyshott', 'Itchen', 'Juggs'] as const

const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index % list.length]
  if (found === undefined) throw new RangeError('The list is empty.')
  return found
}

const said = (says: string, ...words: readonly (string | number)[]): Said => ({
  says,
  fact: { all: words.map((word) => String(word).replace(/^the /, '')) },
})

/** Ten kinds of facts, ten of each, about 65 characters each. */
const TEMPLATES: readonly ((index: number) => Said)[] = [
  (i) => said(`${at(TEAM, i)} takes care of ${at(TASKS, i)} at our workshop and sits at desk ${31 + i}.`, at(TEAM, i), at(TASKS, i)),
  (i) => said(`The ${at(SHELVES, i)} lies on shelf ${11 + i} of the store room, behind ${41 + i} boxes of paper.`, at(SHELVES, i), 11 + i),
  (i) => said(`My ${at(DISHES, i)} needs ${35 + i} minutes on our stove and then ${15 + i} minutes of rest.`, at(DISHES, i), 35 + i),
  (i) => said(`Our server ${at(HOSTS, i)} has ${64 + i} GB of memory and stands in rack ${81 + i} downstairs.`, at(HOSTS, i), 64 + i),
  (i) => said(`In bed ${21 + i} of my garden grows ${at(PLANTS, i)}, sown in week ${9 + i} of the year.`, at(PLANTS, i), 21 + i),
  (i) =>
    said(`The supplier ${at(SUPPLIERS, i)} delivers within ${3 + i} days and wants ${91 - i} percent at once.`, at(SUPPLIERS, i), 3 + i),
  (i) => said(`Our choir sings the ${at(SCORES, i)} in bar ${101 + i} too fast and page ${55 + i} too loud.`, at(SCORES, i), 101 + i),
  (i) => said(`The meeting room ${at(ROOMS, i)} seats ${12 + 2 * i} people and has ${51 + i} metres of cable.`, at(ROOMS, i), 12 + 2 * i),
  (i) => said(`My walk over ${at(WALKS, i)} takes ${70 + 5 * i} minutes and passes ${6 + i} old windmills.`, at(WALKS, i), 70 + 5 * i),
  (i) =>
    said(
      `I learned to play ${at(SCORES, i)} number ${i + 2} when I was ${20 + i}, from a teacher of ${61 + i}.`,
      at(SCORES, i),
      i + 2,
      20 + i,
    ),
]

const KINDS = TEMPLATES.length

/** `count` facts, at most 100, each of another kind than the one before. */
const facts = (count: number): readonly Said[] =>
  Array.from({ length: count }, (_, index) => at(TEMPLATES, index)(Math.floor(index / KINDS)))

const told = ({ says }: Said): ScenarioTurn => [`By the way: ${says}`, 'Good to know.']

const HUNDRED = facts(100)

/** What the ten newest sessions told has to be at hand; the rest may be in the archive. */
const NEWEST = 10

const FORTY = facts(40)

/** Some facts have changed this many sessions later. */
const CHANGED_AFTER = 20

const CHANGED: ReadonlyMap<number, Said> = new Map([
  [0, said('Not Nadia any more: Zelda takes care of the rota at our workshop and sits at desk 31.', 'Zelda', 'rota')],
  [4, said('It was too dry there: in bed 77 of my garden grows quince, sown in week 9 of the year.', 'quince', 77)],
  [8, said('With the new bridge, my walk over Ashdown takes 95 minutes and passes 6 old windmills.', 'Ashdown', 95)],
  [12, said('We have a new stove: my risotto needs 58 minutes on our stove and then 16 minutes of rest.', 'risotto', 58)],
])

/** Taken back, with nothing in its place. */
const TAKEN_BACK = { index: 16, says: 'Our choir no longer sings the Fugue too fast, we have practised.' } as const

const STALE: readonly FactPattern[] = [
  { all: ['Nadia', 'rota'], none: ['not', 'no longer', 'Zelda'] },
  { all: ['quince', '21'], none: ['77'] },
  { all: ['Ashdown', '70'], none: ['95'] },
  { all: ['risotto', '36'], none: ['58'] },
  { all: ['Fugue', '102'], none: ['no longer', 'not'] },
]

const changeOf = (index: number): string | undefined => (index === TAKEN_BACK.index ? TAKEN_BACK.says : CHANGED.get(index)?.says)

/** The kinds that are about the person. */
const PROFILE = HUNDRED.filter((_, index) => [2, 4, 8, 9].includes(index % KINDS))

/** Machines that a tool tells of. */
const UNITS = 54
const UNITS_A_DAY = 9

export const BUDGET: readonly Scenario[] = [
  {
    id: 'a-hundred-sessions',
    kind: 'budget',
    sessions: HUNDRED.map((fact, index) => ({
      afterMinutes: DAY,
      turns: [told(fact), ...smallTalk(2, index * 2)],
      ends: 'end',
    })),
    known: HUNDRED.slice(-NEWEST).map(({ fact }) => fact),
    kept: HUNDRED.map(({ fact }) => fact),
    questions: [{ ask: 'How long is my walk over Juggs?', answer: { all: ['115'] } }],
  },
  {
    id: 'forty-sessions-with-changes',
    kind: 'budget',
    sessions: FORTY.map((fact, index) => {
      const change = changeOf(index - CHANGED_AFTER)
      return {
        afterMinutes: DAY,
        turns: [told(fact), ...(change === undefined ? [] : [[change, 'Changed.'] as const]), ...smallTalk(3, index * 3)],
        ends: 'end',
      }
    }),
    known: FORTY.slice(-NEWEST).map(({ fact }) => fact),
    kept: [...FORTY.filter((_, index) => changeOf(index) === undefined), ...CHANGED.values()].map(({ fact }) => fact),
    stale: STALE,
    questions: [{ ask: 'How many people does the meeting room Fuchs seat?', answer: { all: ['20'] } }],
  },
  {
    id: 'long-talks-fill-the-profile',
    kind: 'budget',
    sessions: Array.from({ length: Math.ceil(PROFILE.length / 4) }, (_, index) => ({
      afterMinutes: DAY,
      turns: [...PROFILE.slice(4 * index, 4 * index + 4).map(told), ...smallTalk(6, index * 6)],
    })),
    known: PROFILE.slice(-NEWEST).map(({ fact }) => fact),
    kept: PROFILE.map(({ fact }) => fact),
    questions: [{ ask: 'How long does my tagine need on our stove?', answer: { all: ['44'] } }],
  },
  {
    id: 'tools-fill-the-notes',
    kind: 'budget',
    sessions: Array.from({ length: UNITS / UNITS_A_DAY }, (_, day) => ({
      afterMinutes: DAY,
      turns: [
        told(at(HUNDRED, day)),
        ...Array.from({ length: UNITS_A_DAY }, (__, index): ScenarioTurn => {
          const unit = UNITS_A_DAY * day + index
          const line = `unit k${unit} draws ${300 + unit} watts from circuit ${50 + unit}`
          return { user: 'And the next unit?', steps: [['terminal', line]], answer: `It is here: ${line}.` }
        }),
      ],
      ends: 'end',
    })),
    // What the person said does not make room for what tools said.
    known: HUNDRED.slice(0, UNITS / UNITS_A_DAY).map(({ fact }) => fact),
    kept: Array.from({ length: UNITS }, (_, unit) => ({ all: [`k${unit}`, String(300 + unit)] })),
    questions: [{ ask: 'On which shelf lies the twine?', answer: { all: ['11'] } }],
  },
]
