/** Which texts speak of the same: they share words that carry meaning, each cut to a rough stem, so that `lives` meets `live`. */

const STOP_WORDS = new Set(
  (
    'a about again all also am an and any are as at be been but by can could did do does for from had has have he her him his how i if in is it its ' +
    'just know me mine my no not of on or our please remember remind say she should so some tell that the their them then there they this to too ' +
    'up us user was we were what when where which who whose why will with would yes you your'
  ).split(' '),
)

const stem = (word: string): string => {
  const root = word.length > 4 ? word.replace(/(?:ing|ed|s)$/u, '') : word
  return root.replace(/e$/u, '')
}

const keywords = (text: string): ReadonlySet<string> => {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’+#.-]*[\p{L}\p{N}+#]|[\p{L}\p{N}]/gu) ?? []
  return new Set(
    words
      .map((word) => word.replace(/['’]s$/u, ''))
      .filter((word) => !STOP_WORDS.has(word))
      .map(stem),
  )
}

const shared = (left: ReadonlySet<string>, right: ReadonlySet<string>): number => [...left].filter((word) => right.has(word)).length

/** Does `text` hold every keyword of `fact`, which has at least one? */
export const holdsKeywords = (text: string, fact: string): boolean => {
  const wanted = keywords(fact)
  return wanted.size > 0 && shared(wanted, keywords(text)) === wanted.size
}

/** The items that share the most keywords with `text`, in their order. `least`: how many they must share. */
export const closest = <T>(text: string, items: readonly T[], toText: (item: T) => string, least = 1): readonly T[] => {
  const wanted = keywords(text)
  const scores = items.map((item) => shared(wanted, keywords(toText(item))))
  const best = Math.max(least, ...scores)
  return items.filter((_item, index) => scores[index] === best)
}

/** The skill whose name and description share the most words with `text`, at least two. */
export const closestSkill = <T extends { readonly name: string; readonly description: string }>(
  text: string,
  skills: readonly T[],
): T | undefined => closest(text, skills, ({ name, description }) => `${name.replaceAll(/[-_.]/g, ' ')} ${description}`, 2)[0]
