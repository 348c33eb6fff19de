/** Lengths in Unicode code points: an emoji counts once. */
const SURROGATE = /[\ud800-\udfff]/

const isPairAt = (text: string, at: number): boolean =>
  (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00

export const countCodePoints = (text: string): number => {
  let count = text.length
  if (!SURROGATE.test(text)) return count
  for (let at = 0; at < text.length - 1; at++) {
    if (!isPairAt(text, at)) continue
    count--
    at++
  }
  return count
}
