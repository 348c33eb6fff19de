/** Words for the blanks of the filler, taken from the same world as the facts. */
import { PEOPLE } from '../facts/people.ts'
import { PROJECTS } from '../facts/projects.ts'

/** Of whom the user tells nothing. */
const OTHER_PEOPLE: readonly string[] = (
  'Abena Adrian Agnes Ahmed Alma Amara Andrej Anouk Arjun Astrid Barnaby Bettina Birgit Boris Camille Carmen Cedric Clara Conrad Dalia Darius Delia Dolores Edgar Elif Elsbeth Emil Enzo Erin Esther ' +
  'Fabian Fatima Felix Fiona Florian Gareth Gemma Gustav Hanna Hector Heidi Hugo Imogen Irene Isaac Ivo Jasper Joanna Jorge Judith Kamal Karin Kenji Klara Lars Laszlo Lena Livia Lucia Magda Malik'
).split(' ')

const OTHER_PROJECTS: readonly string[] = (
  'Albatross Avocet Bunting Condor Cormorant Crossbill Dipper Egret Eider Finch Godwit Goldcrest Grebe Harrier Hobby Ibis Jackdaw Kingfisher Kite Linnet Magpie Nightjar Nuthatch Oriole Petrel ' +
  'Puffin Redstart Sandpiper Shrike Skua Snipe Starling Stork Swift Teal Tern Turnstone Warbler Whimbrel Wren'
).split(' ')

export const WORDS: Readonly<Record<string, readonly string[]>> = {
  person: [...PEOPLE, ...OTHER_PEOPLE],
  project: [...PROJECTS, ...OTHER_PROJECTS],
  food: [
    'risotto',
    'dal',
    'pancakes',
    'fish soup',
    'focaccia',
    'goulash',
    'tacos',
    'a plum cake',
    'gnocchi',
    'ramen',
    'a celery salad',
    'hummus',
  ],
  place: [
    'Lisbon',
    'Trondheim',
    'the Dolomites',
    'Kyoto',
    'Marseille',
    'Tbilisi',
    'Ghent',
    'Iceland',
    'the Azores',
    'Halifax',
    'Porto',
    'Corsica',
  ],
  tool: [
    'Docker',
    'PostgreSQL',
    'Vite',
    'Redis',
    'nginx',
    'Terraform',
    'SQLite',
    'Kafka',
    'Playwright',
    'ESLint',
    'Kubernetes',
    'GitHub Actions',
  ],
  lang: ['Rust', 'Go', 'TypeScript', 'Python', 'Kotlin', 'Elixir', 'C++', 'SQL', 'Haskell', 'Bash'],
  thing: [
    'puppy',
    'washing machine',
    'passport',
    'camera',
    'piano',
    'bicycle',
    'mattress',
    'heat pump',
    'laptop',
    'car',
    'flat',
    'garden shed',
    'boiler',
    'rug',
  ],
  animal: ['cats', 'dogs', 'tortoises', 'ferrets', 'parrots', 'bees', 'hedgehogs', 'axolotls'],
  sport: ['rowing', 'fencing', 'swimming', 'bouldering', 'running', 'curling', 'yoga', 'cycling'],
  body: ['knee', 'back', 'shoulder', 'wrist', 'neck', 'ankle', 'stomach', 'tooth'],
  art: ['a sonnet', 'a short story', 'a limerick', 'a speech', 'a cover letter', 'an apology', 'a toast', 'a press release'],
  subject: ['glaciology', 'Old Norse', 'probability', 'the French Revolution', 'urban planning', 'photosynthesis', 'monads', 'the baroque'],
  money: ['the rent', 'a mortgage', 'a pension', 'the tax return', 'a budget', 'an insurance claim', 'an invoice', 'a salary talk'],
  day: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  number: ['3', '7', '12', '18', '24', '40', '75', '120', '300', '512', '1,000', '4,096', '8080', '5432'],
  file: [
    'server.ts',
    'main.go',
    'schema.sql',
    'README.md',
    'docker-compose.yml',
    'auth.py',
    'deploy.sh',
    'index.html',
    'worker.rs',
    'config.yaml',
  ],
  error: [
    'ECONNREFUSED',
    'a segmentation fault',
    'exit code 137',
    'a 502',
    'a deadlock',
    'a type error',
    'a flaky test',
    'an out of memory kill',
    'a CORS error',
    'permission denied',
  ],
  fn: ['parseDate', 'retry', 'mergeSorted', 'toSlug', 'debounce', 'readLines', 'hashFile', 'topoSort', 'paginate', 'chunk'],
  adjective: ['quick', 'simple', 'cheap', 'formal', 'friendly', 'short', 'funny', 'careful', 'modern', 'honest'],
  plant: ['basil', 'tomatoes', 'a fern', 'lettuce', 'plum trees', 'garlic', 'moss', 'an orchid'],
  music: ['the cello', 'a nocturne', 'a fugue', 'jazz chords', 'the accordion', 'a drum pattern', 'a choir piece', 'the bassoon'],
}
