/** The name in a listing for an entry whose own name is not a valid path segment. Pure. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is written differently here
const unusable = /[\u0000-\u001f\u007f\\:*?"<>|]|[. ]$/g

const toEscape = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

/** URL-encoded and different from all `taken` names; it is added to them. */
export const nearestName = (name: string, taken: Set<string>): string => {
  const nearest = name.replace(/[\ud800-\udfff]/gu, '\ufffd').replace(unusable, toEscape)
  let free = nearest
  for (let serial = 2; taken.has(free); serial++) free = `${nearest}~${serial}`
  taken.add(free)
  return free
}
