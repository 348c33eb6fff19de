/** Lengths in Unicode code points: an emoji counts once. */
const isPairAt = (text: string, at: number): boolean =>
  (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00

export const countCodePoints = (text: string): number => {
  let count = 0
  for (let at = 0; at < text.length; at += isPairAt(text, at) ? 2 : 1) count++
  return count
}
