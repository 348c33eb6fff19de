/**
 * Content words of a text in any language, used to compare texts. Deterministic and the same on every platform, so the runtime's dictionaries are not used:
 * scripts without spaces are split into pairs of characters.
 */
import { normaliseText } from './normalise-text.ts'
import { remember, spend } from './work-limit.ts'

// Negations are reduced to common forms, so that "can't", "cannot" and "no" match, and "no tabs" never matches "tabs". A word list in the languages most used
// with agents; in Korean and scripts without spaces, negating parts are searched for.

/** The common form of plain negations. */
const NOT = 'not'

const list = (words: string): readonly string[] => words.trim().split(/\s+/)

const forms: ReadonlyMap<string, string> = new Map([
  ...list(
    'not no none nor nobody nothing neither niemand nichts nadie nada ninguém personne nessuno niente niemand никто ничего nicht kein keine keinen keinem keiner keines niet geen pas não non не нет nie değil yok לא لا ليس नहीं không',
  ).map((word) => [word, NOT] as const),
  ...list('never niemals nunca jamás jamais nooit никогда nigdy asla').map((word) => [word, 'never'] as const),
  ...list('without w/o ohne sin sem sans senza zonder без bez').map((word) => [word, 'without'] as const),
])

/** `not`, `never` or `without` for a lower-case word that negates; otherwise undefined. */
const negationOf = (word: string): string | undefined => forms.get(word)

export const NEGATIONS: ReadonlySet<string> = new Set(forms.values())

// In Portuguese "no" means "in the"; the language is detected by words of its own, since letters are not enough ("no flights to São Paulo").
const portuguese = /(?<!\p{L})(?:eu|meu|minha|não|moro|mora|moram|gosto|gosta|trabalho|trabalha|você|estou)(?!\p{L})/u
const frenchPair = /(?<!\p{L})(?:ne |n')([^.,;!?]{1,40}?)(?<!\p{L})(pas|plus|jamais|rien|aucune?)(?!\p{L})/gu

/** Replaces contracted and split negations by separate words before what they negate. Input and output are normalised text. */
const withPlainNegations = (text: string): string =>
  (portuguese.test(text) ? text.replace(/(?<!\p{L})no(?!\p{L})/gu, 'em') : text)
    .replace(/(?<!\p{L})(?:can't|cannot|cant|won't|wont)(?!\p{L})/gu, `can ${NOT}`)
    .replace(/(?<!\p{L})(\p{L}{2,8}?)n't(?!\p{L})/gu, `$1 ${NOT}`)
    .replace(/(?<!\p{L})(do|does|did|is|are|was|were|has|have|had|would|could|should)nt(?!\p{L})/gu, `$1 ${NOT}`)
    .replace(frenchPair, (_, middle: string, word: string) => `${word === 'jamais' ? 'never' : NOT} ${middle}`)

// Words that are too common.

const lists = [
  // English, including words that notes use for the person and the agent
  `a an the this that these those of to in on at by for from with into onto over under about as and or but if then than so too also just
  i me my mine we us our you your yours he him his she her hers it its they them their user users assistant agent please thanks thank hi hello hey ok
  okay yes is are was were be been being am has have had having do does did done can could will would shall may might there here what which who whom
  whose when where how why some any each very more most much many own same such s t m re ve ll d im ive`,
  // Portuguese, Spanish, Italian
  `o os um uma uns umas de do da dos das em na nos nas por para com e ou mas que se eu meu minha seu sua ele ela isto isso este esta esse essa ao aos
  é são foi ser está estou tem tenho usuário usuario utilizador favor obrigado obrigada olá oi el los las un una unos unas del al en y pero yo mi mis tu
  tus su sus lo le les es son fue está estoy tiene tengo gracias hola il lo gli uno del della dei delle nel nella con ed ma io mio suo sono è ho ha
  utente grazie ciao`,
  // French
  `la le les des du au aux et ou mais que qui je tu il elle nous vous ils elles mon ma mes ton ta tes son sa ses ce cette ces est sont suis être ai as a
  avons avez ont dans sur pour avec par en ne n qu utilisateur merci bonjour salut`,
  // German, Dutch
  `der die das den dem des ein eine einen einem einer und oder aber ich mir mich mein meine du dir dich dein deine er sie es wir uns ihr sein seine ist sind
  war bin hat habe haben im in am an auf aus bei mit nach von vom zu zum zur für als wie benutzer nutzer bitte danke hallo het een en of maar ik mij mijn
  jij je jouw hij zij wij ons is zijn was ben heeft heb van met naar op voor bij gebruiker alsjeblieft bedankt`,
  // Russian
  'и в во на с со к ко по из у о об от за для что как это я мне меня мой моя мы нас наш ты вы вас ваш он она они его её их пользователь спасибо привет',
]

/** Words too common to identify a statement, in the languages most used with agents. Negations and `always` are not included, since they change the meaning. */
const STOP_WORDS: ReadonlySet<string> = new Set(lists.flatMap((list) => list.split(/\s+/)))

const STEM_LENGTH = 6

const word = /[\p{L}\p{M}\p{N}]+/gu
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu
const accent = /(\p{Script=Latin})\p{Mn}+/gu

/** Longer words keep their accents: sorting their combining marks would take too long, and real words are shorter. */
const MAX_WORD_CHARS = 200

const withoutAccents = (text: string): string =>
  text.length > MAX_WORD_CHARS ? text : text.normalize('NFD').replace(accent, '$1').normalize('NFC')

/** Removes an English ending of inflection; the rest of the word stays whole. */
export const withoutEnding = (text: string): string => {
  if (text.length >= 6 && text.endsWith('ing')) return text.slice(0, -3)
  if (text.length >= 5 && /(?:ies|ied)$/.test(text)) return `${text.slice(0, -3)}y`
  if (text.length >= 5 && text.endsWith('ed')) return text.slice(0, -2)
  if (text.length >= 4 && text.endsWith('s') && !text.endsWith('ss')) return text.slice(0, -1)
  return text
}

/** Removes inflection roughly: `answers` matches `answer`, `deployment` matches `deploys`. Words with a digit are unchanged. */
const stem = (text: string): string => {
  if (/\p{N}/u.test(text)) return text
  const cut = withoutEnding(text)
  const base = cut.length >= 4 && cut.endsWith('e') ? cut.slice(0, -1) : cut
  const stemmed = Array.from(base).slice(0, STEM_LENGTH).join('')
  // A stem must not become a negation: "note", "noted" and "notes" have the stem "note", not "not".
  return NEGATIONS.has(stemmed) ? `${stemmed}e` : stemmed
}

const pairs = (run: string): readonly string[] => {
  const characters = Array.from(run)
  return characters.length === 1 ? characters : characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

/** Content words of one token of a normalised text; negations are in their common form. */
const wordsOfToken = (token: string): readonly string[] => {
  const spaced = token.replace(unspaced, ' ').split(' ')
  const whole = spaced.filter((part) => part !== '' && !STOP_WORDS.has(part)).map((part) => negationOf(part) ?? stem(withoutAccents(part)))
  return [...whole, ...[...token.matchAll(unspaced)].flatMap(([run]) => pairs(run))]
}

const sequenceOf = (text: string): readonly string[] => {
  const plain = normaliseText(text)
  spend(700 * plain.length)
  return (withPlainNegations(plain).match(word) ?? []).flatMap(wordsOfToken)
}

/** In text order, with repetitions. */
export const contentSequence = remember('contentSequence', sequenceOf)

export const contentWords = remember('contentWords', (text): ReadonlySet<string> => new Set(contentSequence(text)))

const subjectsOf = (words: readonly string[]): ReadonlySet<string> => new Set(words.filter((each) => !NEGATIONS.has(each)))

/** The content words of a text except negations. */
export const subjectWords = remember('subjectWords', (text) => subjectsOf(contentSequence(text)))

/** The same for callers that keep the result. */
export const readSubjectWords = (text: string): ReadonlySet<string> => subjectsOf(sequenceOf(text))
