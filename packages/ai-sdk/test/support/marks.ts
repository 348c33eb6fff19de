/** What tells in a text, a file or a prompt whose words they are. */

export const OWNERS = 50

export const ownerName = (owner: number): string => `user-${owner}@example.com`

export const markOf = (owner: number): string => `zq${owner}zq`

/** The owners whose words a text holds, each once. */
export const marksIn = (text: string): readonly number[] => [...new Set([...text.matchAll(/zq(\d+)zq/g)].map(([, owner]) => Number(owner)))]
