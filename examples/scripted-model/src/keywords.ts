/** The words of a sentence that carry its meaning, cut to a rough stem, so that `lives` meets `live`. */

const STOP_WORDS = new Set(
  (
    'a about again all also am an and any are as at be been but by can could did do does for from had has have he her him his how i if in is it its ' +
    'just know me mine my no not of on or our please remember remind say she should so some tell that the their them then there they this to too ' +
    'up us user was we were what when where which who whose why will with would yes you your'
  ).split(' '),
)

const stem = (word: string): string => {
  const bare = word.replace(/(?:'s|’s)$/u, '')
  const root = bare.length > 4 ? bare.replace(/(?:ing|ed|s)$/u, '') : bare
  return root.replace(/e$/u, '')
}

export const keywords = (text: string): ReadonlySet<string> => {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’+#.-]*[\p{L}\p{N}+#]|[\p{L}\p{N}]/gu) ?? []
  return new Set(
    words
      .map((word) => word.replace(/['’]s$/u, ''))
      .filter((word) => !STOP_WORDS.has(word))
      .map(stem),
  )
}

/** How many keywords two texts share. */
export const sharedKeywords = (left: ReadonlySet<string>, right: ReadonlySet<string>): number => {
  let shared = 0
  for (const word of left) if (right.has(word)) shared++
  return shared
}
