/** Text as words to compare by, in any script; words of common grammar do not count. */

/** Of the languages people most write skills in, and what every description of a skill says. */
const GRAMMAR = new Set(
  `a an and any are as at be before after by can do does for from has have how i if in into is it its more no not of on one or other our so
  some such than that the their them then there these this to too up use used uses using via was we what when where which while who will with
  you your skill skills task tasks user users guide workflow
  der die das den dem des ein eine einen einem einer und oder mit von fur auf aus bei im in ist zu zum zur wie wenn nach uber als auch
  le la les un une des du de et ou avec pour dans sur par est que qui quand au aux en comment
  el los las una del y o con para por es como cuando al se su
  il lo gli i di e da per che si um uma os as do dos das no na nos em com`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

/** Scripts without spaces between words: pairs of neighbouring characters stand for them. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const run =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{M}]+|[\p{L}\p{N}\p{M}]+/gu

const pairsOf = (text: string): readonly string[] => {
  const chars = [...text]
  return chars.length < 2 ? chars : chars.slice(1).map((char, index) => `${chars[index]}${char}`)
}

/** Each word once, in order of appearance; lower case, marks above letters left out. */
export const toWords = (text: string): readonly string[] => {
  // A word that runs into Han characters, such as `PDF文件`, is both.
  const apart = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(new RegExp(`(?<=${unspaced.source})(?=[a-z0-9])|(?<=[a-z0-9])(?=${unspaced.source})`, 'gu'), ' ')
  const words = [...apart.matchAll(run)].flatMap(([word]) => (unspaced.test(word) ? pairsOf(word) : [word]))
  return [...new Set(words)].filter((word) => !GRAMMAR.has(word))
}

const MIN_STEM = 4
const MAX_ENDING = 4

const sharedStart = (a: string, b: string): number => {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}

/** Of a word's letters, in scripts whose words change their endings more than they add to them. */
const STEM_SHARE = 0.6

/** The same word, or one with an ending: `deploy` and `deployment`, `query` and `queries`. */
const isSameWord = (a: string, b: string): boolean => {
  if (a === b) return true
  if (!/[a-z0-9]/.test(a + b)) {
    const shared = sharedStart(a, b)
    return shared >= MIN_STEM && shared >= STEM_SHARE * Math.max(a.length, b.length)
  }
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  const stem = /[ey]$/.test(short) ? short.slice(0, -1) : short
  return stem.length >= MIN_STEM && long.length - short.length <= MAX_ENDING && long.startsWith(stem) && /^\p{L}+$/u.test(long)
}

/** How many words of `a` have a partner of their own in `b`. */
export const countShared = (a: readonly string[], b: readonly string[]): number => {
  const left = [...b]
  let shared = 0
  for (const word of a) {
    const exact = left.indexOf(word)
    const at = exact >= 0 ? exact : left.findIndex((other) => isSameWord(word, other))
    if (at < 0) continue
    left.splice(at, 1)
    shared++
  }
  return shared
}

/** Dice: 0 for nothing in common, 1 for the same words; 0 for two empty texts. */
export const overlapOf = (a: readonly string[], b: readonly string[]): number =>
  a.length + b.length === 0 ? 0 : (2 * countShared(a, b)) / (a.length + b.length)
