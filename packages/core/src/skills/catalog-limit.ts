/** Code points of the whole text of a catalogue; about 2,000 tokens. */
export const DEFAULT_CATALOG_CHAR_LIMIT = 8_000
