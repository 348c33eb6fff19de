/** Lengths in Unicode code points: an emoji counts once. */
const SURROGATE = /[\ud800-\udfff]/

export const countCodePoints = (text: string): number => {
  let count = text.length
  if (!SURROGATE.test(text)) return count
  for (const _ of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) count--
  return count
}
