/** What the assistant said, and how the user asks for it later. */

export interface Told {
  readonly id: string
  readonly request: string
  readonly values: readonly string[]
  readonly answer: string
  readonly asked: string
  readonly wording: 'partly' | 'other'
}

export const TOLD: readonly Told[] = [
  {
    id: 'wine',
    request: 'What goes with mushroom risotto?',
    values: ['a Barbera', 'a dry Furmint'],
    answer: 'I would open {value}, slightly cool.',
    asked: 'Which wine did you suggest with the risotto?',
    wording: 'partly',
  },
  {
    id: 'stain',
    request: 'There is red wine on the wool rug, help!',
    values: ['sparkling water and salt', 'cold milk'],
    answer: 'Dab it, never rub, and use {value} right away.',
    asked: 'What should I put on the stained carpet, in your opinion?',
    wording: 'other',
  },
  {
    id: 'film',
    request: 'Something slow and beautiful for Friday night?',
    values: ['The Straight Story', 'Columbus'],
    answer: 'Then watch {value}. Nothing happens, and it stays with you.',
    asked: 'What film did you recommend?',
    wording: 'other',
  },
  {
    id: 'walk',
    request: 'We are in Edinburgh for half a day, with a pram.',
    values: ['the Water of Leith path', 'Inverleith Park and back'],
    answer: 'Take {value}, it is flat and there is a café at the end.',
    asked: 'Which walk in Edinburgh did you propose to us?',
    wording: 'partly',
  },
  {
    id: 'regex',
    request: 'How do I keep grep from choking on binary files?',
    values: ['the flag -I', 'ripgrep instead'],
    answer: 'Use {value}, that skips them.',
    asked: 'What was your advice on grep and binaries?',
    wording: 'partly',
  },
  {
    id: 'present',
    request: 'A retirement gift for a geographer, under fifty?',
    values: ['a raised-relief map', 'a brass compass'],
    answer: 'How about {value}? It fits the desk and the profession.',
    asked: 'Which present did you come up with for the retiring colleague?',
    wording: 'other',
  },
  {
    id: 'stretch',
    request: 'My lower back hurts after a day at the desk.',
    values: ['the child pose, two minutes', 'hanging from a bar'],
    answer: 'Try {value}, three times a day, and raise the screen.',
    asked: 'What exercise was it for my spine?',
    wording: 'other',
  },
  {
    id: 'name',
    request: 'I need a name for a small bakery that opens at night.',
    values: ['Moonloaf', 'The Late Crumb'],
    answer: 'My favourite of them would be {value}.',
    asked: 'Which name for the bakery was your favourite?',
    wording: 'partly',
  },
  {
    id: 'index',
    request: 'This query over the orders takes nine seconds.',
    values: ['an index on customer and date', 'a covering index on status'],
    answer: 'The plan shows a sequential scan. Create {value} and it should be instant.',
    asked: 'What did you tell me to create for the slow query on orders?',
    wording: 'partly',
  },
  {
    id: 'cut',
    request: 'How do I stop my bread from tearing at the side?',
    values: ['a deeper cut at thirty degrees', 'steam for the first ten minutes'],
    answer: 'The crust sets too early. You need {value}.',
    asked: 'What keeps my loaf from bursting?',
    wording: 'other',
  },
  {
    id: 'visa',
    request: 'How long before the flight do I ask for the visa to Vietnam?',
    values: ['four weeks', 'ten working days'],
    answer: 'Count on {value}, and print two copies.',
    asked: 'How early do I apply for Vietnam, did you say?',
    wording: 'partly',
  },
  {
    id: 'fern',
    request: 'My fern is brown at the tips.',
    values: ['rain water', 'a north window'],
    answer: 'It is thirsty for {value}, and cut the dry fronds.',
    asked: 'What would help my plant?',
    wording: 'other',
  },
  {
    id: 'font',
    request: 'Which typeface for a cookbook with long recipes?',
    values: ['Spectral', 'Literata'],
    answer: 'Set it in {value} at ten and a half points.',
    asked: 'Which font was it for the recipe book?',
    wording: 'other',
  },
  {
    id: 'commit',
    request: 'I committed a big video by mistake and pushed it.',
    values: ['git filter-repo', 'the BFG'],
    answer: 'Rewrite the history with {value}, then everybody clones again.',
    asked: 'With which tool do I get the video out of the history?',
    wording: 'partly',
  },
  {
    id: 'speech',
    request: 'My best man speech has no ending.',
    values: ['the story with the canoe', 'a toast to the grandmothers'],
    answer: 'End on {value}; it makes them laugh and then it turns warm.',
    asked: 'How should my words for the groom close?',
    wording: 'other',
  },
  {
    id: 'ladder',
    request: 'Which interval for the nightly backup check makes sense?',
    values: ['every 36 hours', 'each Sunday'],
    answer: 'I would verify it {value} and restore a sample.',
    asked: 'How often did you say a backup is verified?',
    wording: 'partly',
  },
]
