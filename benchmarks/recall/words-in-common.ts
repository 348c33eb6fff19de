/** How many of the content words of a question are in the text that answers it. Pure. */

const SMALL_WORDS = new Set(
  (
    'a about again all am an and any are as at be been before but by can could did do does done for from get gets got had has have he her here him his how i if in into is it its ' +
    'just know me mine my no not now of off on once one or our out said say says shall she should since so some such tell than that the their them then there these they this those ' +
    'to told too until up us very want was we were what when where which while who whom whose why will with would you your whereabouts remind ' +
    'der die das den dem ein eine einen mein meine meinen ich ist es und mit für um wie wer was wann welche welches bei wem bis nach im in habe hat ' +
    'el la los las un una de del al mi me se con que qué y es en cuándo cuánto cómo quién a por según'
  ).split(' '),
)

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Lower-case words without small words; of Japanese, pairs of characters. */
export const contentWords = (text: string): readonly string[] => {
  const pieces =
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}]+(?:[.'][\p{L}\p{N}]+)*/gu) ?? []
  const words = pieces.flatMap((piece) => {
    if (!CJK.test(piece)) return [piece.replace(/'s$/, '')]
    const signs = [...piece]
    return signs.length === 1 ? signs : signs.slice(1).map((sign, index) => `${signs[index]}${sign}`)
  })
  return [...new Set(words.filter((word) => !SMALL_WORDS.has(word)))]
}

/** From 0 to 1; 0 if the question has no content word. */
export const shareInCommon = (question: string, said: string): number => {
  const asked = contentWords(question)
  const known = new Set(contentWords(said))
  return asked.length === 0 ? 0 : asked.filter((word) => known.has(word)).length / asked.length
}
