/** Marks that identify the owner of a text in files and prompts. */

export const OWNERS = 30

export const ownerName = (owner: number): string => `user-${owner}@example.com`

export const markOf = (owner: number): string => `zq${owner}zq`

/** The owners whose marks a text contains, without duplicates. */
export const marksIn = (text: string): readonly number[] => [...new Set([...text.matchAll(/zq(\d+)zq/g)].map(([, owner]) => Number(owner)))]
