/** Lengths in Unicode code points: an emoji counts once. */
const SECOND_HALVES = /[\ud800-\udbff][\udc00-\udfff]/g

export const countCodePoints = (text: string): number => text.length - (text.match(SECOND_HALVES)?.length ?? 0)
