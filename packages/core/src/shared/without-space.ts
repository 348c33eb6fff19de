/** Removes all white space, for comparing texts that frameworks join and trim in their own ways. */
export const withoutSpace = (text: string): string => text.replace(/\s+/g, '')
