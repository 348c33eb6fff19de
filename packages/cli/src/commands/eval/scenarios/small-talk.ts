/** Turns that hold nothing worth keeping: what stands around the facts of a scenario. Always the same for the same numbers. */
import type { ScenarioTurn } from '../scenario.ts'

const EXCHANGES: readonly (readonly [string, string])[] = [
  ['How long does an egg need until it is hard?', 'About ten minutes from the moment the water boils.'],
  ['What is the difference between weather and climate?', 'Weather is the state of the air today, climate its average over decades.'],
  ['Can you round 17.4849 to two places?', 'That is 17.48.'],
  ['Which planet has the shortest day?', 'Jupiter: it turns once in a little under ten hours.'],
  ['What does the word "ubiquitous" mean?', 'It means that something seems to be everywhere at once.'],
  ['How many metres are in a nautical mile?', 'Exactly 1,852.'],
  ['Give me a synonym for "quickly".', 'Swiftly, rapidly or promptly would all do.'],
  ['Who wrote the play Peer Gynt?', 'Henrik Ibsen, in 1867.'],
  ['Why does bread rise?', 'Yeast turns sugar into gas, and the dough holds the bubbles.'],
  ['What is seventeen times twenty-three?', 'It is 391.'],
  ['Is a tomato a fruit?', 'To a botanist it is a berry, to a cook a vegetable.'],
  ['How do I fold a letter for a long envelope?', 'In thirds: the lower third up first, then the upper one down over it.'],
  ['What is the boiling point of water on a high mountain?', 'Lower than at sea level, roughly one degree for every 300 metres.'],
  ['Which is longer, a yard or a metre?', 'The metre, by a little under nine centimetres.'],
  ['Explain a palindrome in one sentence.', 'It is a word that reads the same from both ends, such as level.'],
  ['What makes the sky look blue?', 'Short waves of sunlight are scattered more by the air than long ones.'],
  ['How many sides does a dodecagon have?', 'Twelve.'],
  ['Suggest a title for a poem on rain.', 'Perhaps "What the gutters say".'],
  ['What does HTTP status 418 say?', 'That the server is a teapot, a joke that was kept.'],
  ['How do cats purr?', 'Muscles of the voice box open and close the airway many times a second.'],
]

const SENTENCES: readonly string[] = [
  'The first thing to look at is how the parts depend on one another, since a change in one place shows in the others.',
  'A short list on paper is often enough to see which step has to come before which.',
  'Where two of them pull in different directions, the cheaper one to undo should be tried first.',
  'It helps to write down what would count as a success before anything is started.',
  'Most of the time goes into the last tenth of the work, so leave room for it.',
  'If a figure looks too good, measure it again on another day and with other data.',
  'A picture with two axes says more than a table of twenty rows.',
  'Nothing is lost by waiting a day where nobody is held up by the answer.',
  'The opposite mistake is just as common: to change three things at once and to learn nothing from the outcome.',
  'Small steps look slow, but they can be taken back one at a time.',
  'In a group it is worth asking the quietest person last, and listening longest to them.',
  'A rule that needs many exceptions is mostly two rules that were written as one.',
  'What is done rarely deserves a note, what is done daily deserves a habit.',
  'Old plans are worth a second look, because the reasons against them may be gone.',
  'Averages hide the worst cases, and it is the worst cases that people remember.',
  'The simplest explanation that fits all the observations is a good place to begin.',
  'Before a purchase, ask what it costs to keep and not only what it costs to get.',
  'A good question names what is known already and what has been tried.',
]

const pick = <T>(list: readonly T[], at: number): T => {
  const found = list[at % list.length]
  if (found === undefined) throw new RangeError('The list is empty.')
  return found
}

/** `count` turns; `from` is where in the list they begin. */
export const smallTalk = (count: number, from = 0): readonly ScenarioTurn[] =>
  Array.from({ length: count }, (_, index) => pick(EXCHANGES, from + index))

const SENTENCES_OF_ANSWER = 12

/** An answer of about 1,100 characters. */
export const longAnswer = (at: number): string =>
  Array.from({ length: SENTENCES_OF_ANSWER }, (_, index) => pick(SENTENCES, at * 7 + index)).join(' ')

/** A line of about 70 characters, such as a program writes while it works. */
const logLine = (seed: number): string => {
  const at = `${String(8 + (seed % 10)).padStart(2, '0')}:${String((seed * 7) % 60).padStart(2, '0')}:${String((seed * 13) % 60).padStart(2, '0')}`
  return `${at} worker-${seed % 6} finished batch ${10_000 + ((seed * 37) % 9_000)} in ${20 + ((seed * 11) % 400)} ms, queue ${seed % 17}`
}

/** A tool's result of about 800 tokens that nobody needs to remember. */
export const logOf = (seed: number, lines = 55): string =>
  Array.from({ length: lines }, (_, index) => logLine(seed * 53 + index)).join('\n')
