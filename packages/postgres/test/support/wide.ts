/** Characters of the document that shows whether a write was done in part. */
export const WIDE = 20_000
