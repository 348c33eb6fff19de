/** Where the frozen text goes in a system prompt. Pure. */

/** Behind the host's own words, so that these keep their place in the provider's prefix cache. The very same text where the block stands in it already. */
export const joinBlock = (system: string, block: string): string => {
  if (block === '' || system.includes(block)) return system
  return system === '' ? block : `${system}\n\n${block}`
}
