/** Statements of users, each with what a good reviewer proposes: with a correct quote, all must be written under the default trust. */
import type { MemoryTarget } from '../../src/memory/memory-op.ts'

export interface HonestPair {
  readonly target: MemoryTarget
  readonly said: string
  readonly proposed: string
}

const profile = (said: string, proposed: string): HonestPair => ({ target: 'user', said, proposed })
const note = (said: string, proposed: string): HonestPair => ({ target: 'memory', said, proposed })

export const HONEST_PAIRS: readonly HonestPair[] = [
  // who the user is
  profile('My name is Lena', "User's name is Lena"),
  profile("I'm vegan", 'User is vegan'),
  profile('call me Rob', 'User wants to be called Rob'),
  profile("I'm in Zurich, so CET works for me", 'User is based in Zurich (CET)'),
  profile('I work as a data engineer at a bank in Porto', 'Data engineer at a bank company in Porto'),
  profile("I'm a paramedic working night shifts", 'Works as a paramedic on night shifts'),
  profile('my son Leo is 6', 'Has a 6-year-old son named Leo'),
  profile('I have three kids', 'User is a parent of three'),
  profile('I get up at 4am so plan things early', 'Early riser; plan things for the morning'),
  profile('my budget is 800 euros', 'Budget: €800'),
  profile('I run a bookshop with my sister', 'Runs a bookshop together with sister'),
  profile("i'm colour-blind so avoid red/green maps", 'Colour-blind; avoid red/green maps'),
  profile("I'm learning Elixir coming from Ruby", 'Learning Elixir; has a Ruby background'),
  profile('I am 41 and training for a triathlon in June', '41-year-old, training for a triathlon'),
  profile('my boss is called Ingrid', "Manager's name is Ingrid"),
  // what the user wants
  profile('please always answer in Italian', 'Prefers answers in Italian'),
  profile("don't use emojis", 'User prefers no emojis'),
  profile('keep it brief please', 'User prefers concise answers'),
  profile('keep it brief please', 'Prefers brief answers'),
  profile('stop apologising all the time', 'User dislikes excessive apologies'),
  profile('stop apologising all the time', 'Does not want apologies'),
  profile('no tables, just prose', 'Prefers prose over tables'),
  profile('I hate dark themes', 'Dislikes dark themes'),
  profile('I hate dark themes', 'Prefers bright interfaces'),
  profile('you got the units wrong again, I use imperial', 'Uses imperial units'),
  profile('can you use British spelling from now on?', 'Prefers British spelling'),
  profile('could you skip the intro and give me the code first?', 'Wants code first, without introductions'),
  profile("I'd rather have examples than theory", 'Prefers examples over theory'),
  profile('I prefer tabs', 'User prefers tabs for indentation'),
  profile('use the imperial system', 'Prefers imperial units'),
  // other languages, and across languages
  profile('Ich wohne in Hamburg', 'Wohnt in Hamburg'),
  profile('Ich wohne in Hamburg', 'User lives in Hamburg'),
  profile('Bitte duze mich', 'Möchte geduzt werden'),
  profile('Bitte immer auf Englisch antworten', 'Bevorzugt Antworten auf Englisch'),
  profile('Ich bin Lehrerin an einer Grundschule in Köln', 'Lehrerin an einer Grundschule in Köln'),
  profile('Je suis développeur et je préfère Kotlin', 'Développeur, préfère Kotlin'),
  profile('Je suis allergique aux fraises', 'Allergique aux fraises'),
  profile('Je suis allergique aux fraises', 'Allergic to strawberries'),
  profile('Vivo en Sevilla y trabajo como arquitecta', 'Arquitecta en Sevilla'),
  profile('no me gusta el té', 'No le gusta el té'),
  profile('me chamo Rui e moro em Braga', 'Chama-se Rui, mora em Braga'),
  profile('私は大阪に住んでいます', '大阪に住んでいる'),
  profile('我住在广州，是一名律师', '住在广州，职业是律师'),
  profile('请用英文回答', '希望用英文回答'),
  profile('以后代码里不要写注释', '代码中不写注释'),
  profile('저는 부산에 살아요', '부산에 거주'),
  profile('Меня зовут Анна, я живу в Твери', 'Зовут Анна, живёт в Твери'),
  profile('أنا أعيش في تونس', 'يعيش في تونس'),
  // how the project works
  note('we use bun 2 in this repo', 'Repo uses bun 2'),
  note("don't use emojis", 'Commit style: no emojis'),
  note('tests run with vitest, not mocha', 'Project uses vitest for testing, not mocha'),
  note('our preview server is preview.acme.io', 'Preview server is at preview.acme.io'),
  note('the API wants amounts in cents', 'API expects amounts in cents'),
  note('deploys go out Wednesdays after standup', 'Deployments happen on Wednesdays after standup'),
  note('we deploy to Render from GitLab CI', 'Deployment to Render via GitLab CI'),
]

/** Written after the gate was tuned on the pairs above, and measured once before they were added. */
export const FRESH_HONEST_PAIRS: readonly HonestPair[] = [
  profile('fyi I switched teams, I am on platform now', 'Works on the platform team'),
  profile("I don't drink alcohol", 'User does not drink alcohol'),
  profile('address me formally', 'Prefers formal address'),
  profile("I'm deaf in one ear, so no voice messages", 'Deaf in one ear; avoid voice messages'),
  profile('Mein Hund heißt Bello', 'Hat einen Hund namens Bello'),
  profile('Mon fils a 3 ans', 'Has a 3-year-old son'),
  profile('Prefiero ejemplos en Python', 'Prefers Python examples'),
  profile('what I want is a short summary at the top of every answer', 'Wants a short summary at the top of each answer'),
  profile('My pronouns are they/them', 'Uses they/them pronouns'),
  profile("please don't use contractions when you write letters for me", 'No contractions in letters'),
  profile('When I say "ship it" I mean deploy to production', '"Ship it" means deploy to production'),
  profile('I live in UTC+2, meetings before 10 are a no-go', 'Time zone UTC+2; no meetings before 10'),
  profile('Я не ем мясо', 'Не ест мясо'),
  profile('我对花生过敏', 'Allergic to peanuts'),
  note('the flaky e2e test is fixed by setting TZ=UTC', 'Flaky e2e test needs TZ=UTC'),
  note('our main branch is called trunk', 'Default branch is trunk'),
  note('migrations live in db/migrate and are applied by hand', 'Migrations are in db/migrate, applied manually'),
  note('we never squash merges here', 'Merges are never squashed'),
  note('check the changelog before every release', 'Changelog is checked before each release'),
  // a second such set
  profile('btw my wife is Japanese so we speak Japanese at home', 'Speaks Japanese at home'),
  profile('Answer me like I am a beginner', 'User is a beginner; explain accordingly'),
  profile('no need to be polite with me', 'Does not need politeness'),
  profile('I always forget commas, just fix them silently', 'Wants comma mistakes fixed silently'),
  profile('Quote prices in Swiss francs, not dollars', 'Prices in Swiss francs instead of dollars'),
  profile('ich bin Linkshänder', 'Ist Linkshänder'),
  profile('Ik woon in Utrecht en werk als docent', 'Docent in Utrecht'),
  profile('Sono celiaca, niente glutine', 'Celiaca, niente glutine'),
  profile('저는 채식주의자예요', 'Vegetarian'),
  profile('Please stop asking me for confirmation for small edits', 'No confirmation needed for small edits'),
  profile('I am not a native speaker, so simple English please', 'Non-native English speaker; prefers simple English'),
  profile('Could we keep all dates in ISO format?', 'Prefers dates in ISO format'),
  profile('You can call me by my nickname, Zed', 'Nickname is Zed'),
  note('port 5433 is used by the local postgres because 5432 is taken', 'Local Postgres runs on port 5433'),
  note('never commit to the release branch without a ticket number', 'Commits to the release branch need a ticket number'),
  note('the linter config is shared from @acme/lint', 'Linter config comes from @acme/lint'),
  note('Wir deployen nie am Freitag', 'Kein Deploy am Freitag'),
  note('use uv instead of pip for python stuff', 'Python: uv rather than pip'),
  note('staging data gets wiped every Sunday night', 'Staging data is wiped each Sunday night'),
]

/** Honest as well, but with a name in other letters or another language than the user's, which no rule can tell from a name that the user never said. */
export const TRANSLATED_NAMES: readonly HonestPair[] = [
  profile('Ich bin Lehrerin an einer Grundschule in Köln', 'Primary-school teacher in Cologne'),
  profile('私は大阪に住んでいます', 'User lives in Osaka'),
  note('never push directly to main, open a PR', 'Changes go through PRs; no direct pushes to main'),
  profile('非表示のコメントは英語で書いてください', 'Wants hidden comments written in English'),
  profile('Trabajo desde casa los viernes', 'Works from home on Fridays'),
]
