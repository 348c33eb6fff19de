/** What the user tells about friends, relatives and colleagues. */
import type { FactKind } from './fact-kind.ts'

export const PEOPLE: readonly string[] = [
  ...['Marta', 'Tobias', 'Ingrid', 'Kofi', 'Yuki', 'Rafael', 'Leila', 'Anselm', 'Priya', 'Dmitri', 'Solveig', 'Hamza'],
  ...['Beatriz', 'Caspian', 'Noor', 'Wendell', 'Mireille', 'Otis', 'Zuzana', 'Farid', 'Greta', 'Ikaika', 'Lorcan', 'Sunniva'],
]

export const PEOPLE_FACTS: readonly FactKind[] = [
  {
    id: 'job',
    values: [
      'a court interpreter',
      'a glazier',
      'an actuary',
      'a midwife',
      'a cartographer',
      'a tram driver',
      'a patent clerk',
      'a set designer',
    ],
    said: ['{who} started a new job this month as {value}.', 'Big news: {who} got the job and is {value} now.'],
    replies: [
      'That is a real change of career. The first weeks are usually the hardest.',
      'Congratulations to {who}! Shall we think of a small present?',
    ],
    changed: ['{who} changed the job again and works as {value} these days.', 'So {who} quit. The new job is {value}.'],
    after: [
      'What do people earn in that line of work at the start? | It varies by region. In the first year usually a bit below the average, then it rises with experience.',
      'Can you write two lines to wish {who} luck in the new career? | "All the best for the first day, {who}. May the coffee be strong and the colleagues kind."',
    ],
    asked: {
      same: ['What job has {who}?'],
      partly: ['What is the job of {who}?'],
      other: ['What does {who} do for a living?', 'Remind me of the profession of {who}.'],
    },
  },
  {
    id: 'city',
    values: ['Trondheim', 'Valparaíso', 'Ghent', 'Tbilisi', 'Halifax', 'Kanazawa', 'Porto', 'Ljubljana'],
    said: ['{who} moved to {value} with everything in one van.', 'By the way, {who} has moved to {value} for good.'],
    replies: ['A long way. Is the flat already furnished?', '{value} is lovely in autumn. You could visit over a weekend.'],
    changed: ['{who} moved once more, to {value} this time.', 'You will not believe it, {who} has moved again: {value}.'],
    after: [
      'How far is it by train from here, for a visit at the weekend? | About half a day with one change. For two nights it is worth it.',
      'What is it like to live there? | Smaller than people think, with good bread and high rents in the old town.',
    ],
    asked: {
      same: ['Where has {who} moved to?'],
      partly: ['Which city did {who} move to in the end?'],
      other: ['In which town does {who} live?', 'Whereabouts is the home of {who}?'],
    },
  },
  {
    id: 'instrument',
    values: ['the bassoon', 'the cello', 'the accordion', 'the oud', 'the French horn', 'the marimba'],
    said: [
      '{who} is learning to play {value}, an hour every evening.',
      'I heard {who} play {value} yesterday, after only a year of lessons.',
    ],
    replies: ['An hour a day pays off quickly. Who teaches?', 'That takes patience, mostly from the neighbours.'],
    after: [
      'Is it hard to start a musical instrument that late? | The first year is the hardest. After that the ear helps the fingers.',
      'What would be a good piece to play together with {who} on the guitar? | Something slow in G, with few notes for the guitar.',
    ],
    asked: {
      same: ['What is {who} learning to play?', 'What did {who} play after lessons?'],
      partly: ['Which instrument can {who} play?'],
      other: ['Which musical instrument is it with {who}?'],
    },
  },
  {
    id: 'diet',
    values: ['shellfish', 'celery', 'hazelnuts', 'sesame', 'kiwi', 'mustard'],
    said: [
      'Careful with dinner on Saturday: {who} is allergic to {value}.',
      '{who} had to leave the party early, allergic to {value} and nobody knew.',
    ],
    replies: ['Noted for the menu. I would also check the sauces, it hides there.', 'Good to know before we choose the recipes.'],
    after: [
      'What can I cook for {who} instead, for eight people? | A vegetable stew with rice on the side is safe, and everybody likes it. Keep the packages so that {who} can read what is in the food.',
      'How fast does such an allergy act? | Minutes to two hours. If the lips swell, call for help at once.',
    ],
    asked: {
      same: ['What is {who} allergic to?'],
      partly: ['Does {who} have an allergy, or was {who} allergic to something at the party?'],
      other: ['Which food can {who} not eat?', 'What must not be in the food when I cook for {who}?'],
    },
  },
  {
    id: 'child',
    values: ['Ottilie', 'Bastian', 'Nerys', 'Emeka', 'Linnea', 'Tarquin', 'Ayumi', 'Ronan'],
    said: [
      '{who} had the baby last night, they named the little one {value}.',
      'The baby of {who} is here! It is called {value} and everyone is well.',
    ],
    replies: [
      'How wonderful! A card would be nice, I can draft a few lines.',
      'Congratulations to the parents. Some sleep would be the best gift.',
    ],
    after: [
      'What do I bring to a newborn child? | Food for the parents, and a book with thick pages for the kid later.',
      'When is it all right to visit {who}? | Ask, keep it short, and wash your hands. Most parents are glad after two weeks.',
    ],
    asked: {
      same: ['What is the baby of {who} called, what was it named?'],
      partly: ['What name did {who} give the baby?'],
      other: ['Who is the newborn child of {who}?', 'What is the first name of the kid of {who}?'],
    },
  },
  {
    id: 'pet',
    values: ['a whippet', 'a tortoise', 'an axolotl', 'two ferrets', 'a cockatiel', 'a Maine Coon'],
    said: ['{who} adopted {value} from the shelter on the hill.', '{who} came by with {value}, adopted from a shelter last week.'],
    replies: ['Shelters are so full at the moment, that is good to hear.', 'The first days need some calm at home.'],
    changed: ['{who} went to the shelter again and came home with {value}.'],
    after: [
      'What does an animal from a shelter need in the first days? | Quiet, one room, the same food as before, and patience.',
      'Can I offer {who} to look after the pet during the holidays? | Yes, and visit once before, so that it knows you.',
    ],
    asked: {
      same: ['What did {who} get from the shelter?'],
      partly: ['Which animal was adopted by {who}?'],
      other: ['What kind of pet is with {who}?', 'Does {who} keep an animal, and which?'],
    },
  },
  {
    id: 'wedding',
    values: ['a lighthouse', 'a botanical garden', 'an old paper mill', 'a canal boat', 'a vineyard', 'a town hall'],
    said: ['We are invited: {who} is getting married in {value}.', '{who} is getting married in {value}, the invitation came today.'],
    replies: ['What a place. Do you already know what to wear?', 'I can help with a speech if you are asked for one.'],
    after: [
      'What do I wear to a wedding in the afternoon? | A dress or a suit in a light colour, and shoes that can walk.',
      'Can you help me with a short speech for the couple? | Start with how you met {who}, one story, one wish, and stop before anyone looks at the clock.',
    ],
    asked: {
      same: ['Where are we invited, where is {who} getting married?'],
      partly: ['Where will {who} be married?'],
      other: ['What is the venue of the wedding of {who}?', 'Where is the ceremony of {who}?'],
    },
  },
  {
    id: 'sport',
    values: ['fencing', 'curling', 'open water swimming', 'bouldering', 'rowing', 'roller derby'],
    said: ['{who} trains for a tournament in {value} and talks of nothing else.', '{who} won a medal at a tournament in {value}.'],
    replies: ['Impressive. Tournaments are as much about nerves as about fitness.', 'Is it open to the public? You could cheer.'],
    after: [
      'How many hours a week do people train for such a sport? | Ambitious amateurs around eight, with two days of rest.',
      'Is it watchable for someone without a clue? | Yes, after somebody has explained how a point is scored.',
    ],
    asked: {
      same: ['For what tournament does {who} train?', 'At what tournament did {who} win?'],
      partly: ['What kind of tournament was that with {who}?'],
      other: ['Which sport does {who} do?', 'What is the athletic passion of {who}?'],
    },
  },
  {
    id: 'injury',
    values: ['a torn ligament', 'a broken collarbone', 'a cracked rib', 'a slipped disc', 'a concussion', 'a fractured wrist'],
    said: ['{who} fell off the ladder and is in hospital with {value}.', 'I visited {who} in hospital today: {value}, poor thing.'],
    replies: [
      'I am sorry to hear that. How long do the doctors expect it to take?',
      'That needs weeks of rest. Perhaps a book as a present?',
    ],
    after: [
      'How long does such an injury take to heal? | Six to twelve weeks, depending on age, and longer until full strength.',
      'What can I bring {who}? | Something to read with one hand, fruit, and time.',
    ],
    asked: {
      same: ['Why was {who} in hospital, what was it?'],
      partly: ['What did they find when {who} was at the hospital?'],
      other: ['How badly was {who} injured in the accident?', 'What happened to the health of {who}?'],
    },
  },
  {
    id: 'study',
    values: ['glaciology', 'Old Norse', 'toxicology', 'textile conservation', 'quantum optics', 'urban planning'],
    said: ['{who} enrolled at university to study {value}.', '{who} wants to study {value} at the university from October on.'],
    replies: ['A good choice if one likes details. Is there a stipend?', 'How brave, at that age. Evening classes or full time?'],
    changed: ['{who} switched at the university and will study {value} instead.'],
    after: [
      'What do people do with a degree in that subject? | Research, museums, administration, and a surprising number go into software.',
      'Is there a student discount for the train in the first term? | Usually with the enrolment letter.',
    ],
    asked: {
      same: ['What does {who} study at the university?'],
      partly: ['What did {who} want to study?'],
      other: ['Which degree is {who} doing?', 'What is the academic subject of {who}?'],
    },
  },
  {
    id: 'gift',
    values: ['a fountain pen', 'a cast iron pan', 'a star chart', 'a record by Nina Simone', 'a hand loom', 'a telescope'],
    said: ['For the birthday of {who} I have ordered {value}.', 'I finally have a birthday idea for {who}: {value}, I just bought it.'],
    replies: ['That will be a surprise. Shall I remind you of the wrapping?', 'Lovely. A short note would go well with it.'],
    after: [
      'Can you draft a line for the card that goes with the present? | "For the hours that are only yours, happy birthday, {who}."',
      'How do I wrap something that odd? | Put the gift into a box that is too big, with paper around it.',
    ],
    asked: {
      same: ['What was my idea for the birthday of {who}?'],
      partly: ['What did I buy for {who} for the birthday?'],
      other: ['Which present am I giving {who}?', 'What gift did I get {who}?'],
    },
  },
  {
    id: 'partner',
    values: ['Aurelio', 'Henrike', 'Tamsin', 'Babajide', 'Katarzyna', 'Emre'],
    said: [
      '{who} is together with {value} now, they met at the climbing hall.',
      '{who} brought {value} along; they have been a couple since summer.',
    ],
    replies: ['That is nice news. Are they coming to the dinner?', 'Then we should plan one more seat from now on.'],
    changed: ['It is over between those two. {who} is together with {value} now, a couple since May.'],
    after: [
      'What do I cook for the two of them on their first dinner here? | Something that can wait on the stove while people talk.',
      'Is it rude to ask how long they have been dating? | Not if you ask {who} alone and with a smile.',
    ],
    asked: {
      same: ['Who is {who} together with, who is the couple with {who} now?'],
      partly: ['With whom is {who} a couple?'],
      other: ['Who is the partner of {who}?', 'Whom is {who} dating?'],
    },
  },
]
