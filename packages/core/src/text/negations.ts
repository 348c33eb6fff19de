/**
 * Reduces negations to common forms, so that "can't", "cannot" and "no" match, and "no tabs" never matches "tabs". A word list in the languages most used
 * with agents; in Korean and scripts without spaces, negating parts are searched for.
 */

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
export const negationOf = (word: string): string | undefined => forms.get(word)

export const NEGATIONS: ReadonlySet<string> = new Set(forms.values())

// In Portuguese "no" means "in the"; the language is detected by words of its own, since letters are not enough ("no flights to São Paulo").
const portuguese = /(?<!\p{L})(?:eu|meu|minha|não|moro|mora|moram|gosto|gosta|trabalho|trabalha|você|estou)(?!\p{L})/u
const frenchPair = /(?<!\p{L})(?:ne |n')([^.,;!?]{1,40}?)(?<!\p{L})(pas|plus|jamais|rien|aucune?)(?!\p{L})/gu

/** Replaces contracted and split negations by separate words before what they negate. Input and output are normalised text. */
export const withPlainNegations = (text: string): string =>
  (portuguese.test(text) ? text.replace(/(?<!\p{L})no(?!\p{L})/gu, 'em') : text)
    .replace(/(?<!\p{L})(?:can't|cannot|cant|won't|wont)(?!\p{L})/gu, `can ${NOT}`)
    .replace(/(?<!\p{L})(\p{L}{2,8}?)n't(?!\p{L})/gu, `$1 ${NOT}`)
    .replace(/(?<!\p{L})(do|does|did|is|are|was|were|has|have|had|would|could|should)nt(?!\p{L})/gu, `$1 ${NOT}`)
    .replace(frenchPair, (_, middle: string, word: string) => `${word === 'jamais' ? 'never' : NOT} ${middle}`)
