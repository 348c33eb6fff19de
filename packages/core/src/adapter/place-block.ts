/** Places the frozen text in a system prompt. Pure. */

/**
 * Appends the block to the host's own words, so that those stay in the provider's prefix cache. Returns the text unchanged if it already contains the block.
 */
export const joinBlock = (system: string, block: string): string => {
  if (block === '' || system.includes(block)) return system
  return system === '' ? block : `${system}\n\n${block}`
}
