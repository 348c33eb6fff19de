/** Replaces messages of the parser that do not say what to do. */

const words: unknown = {
  'Too many non-option arguments: got %s, maximum of %s': {
    one: 'Too many arguments: %s given, at most %s allowed. Put words that belong together in quotes.',
    other: 'Too many arguments: %s given, at most %s allowed. Put words that belong together in quotes.',
  },
  'Not enough arguments following: %s': '--%s needs a value.',
  'Unknown argument: %s': { one: "Unknown argument '%s'.", other: "Unknown arguments '%s'." },
  'Invalid values:': 'Invalid value for',
  'Argument: %s, Given: %s, Choices: %s': '%s: %s. Choose one of %s.',
}

/** The parser's types allow no plural forms. */
export const parserWords = words as Record<string, string>

/** Message for the missing required arguments of one verb, such as `<id>`. `group`: empty for a verb of the home. */
export const missingArguments = (group: string, usage: string): Record<string, string> => {
  const required = usage.match(/<[^>]+>/g) ?? []
  // `%c` discards the numbers that the parser inserts.
  const words = ['hermes', group, usage.split(' ')[0]].filter((word) => word !== '')
  const text = `Missing ${required.join(' ')}. See '${words.join(' ')} --help'.%c%c`
  const sentence: unknown = { one: text, other: text }
  return { 'Not enough non-option arguments: got %s, need at least %s': sentence } as Record<string, string>
}
