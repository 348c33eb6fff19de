/** The parser's own sentences, where they would not tell a person what to do. */

const words: unknown = {
  'Not enough non-option arguments: got %s, need at least %s': {
    one: 'Something is missing behind the command: %s given, at least %s needed.',
    other: 'Something is missing behind the command: %s given, at least %s needed.',
  },
  'Too many non-option arguments: got %s, maximum of %s': {
    one: 'That is too much behind the command: %s given, at most %s taken. Put words that belong together in quotes.',
    other: 'That is too much behind the command: %s given, at most %s taken. Put words that belong together in quotes.',
  },
  'Not enough arguments following: %s': '--%s needs a value.',
  'Unknown argument: %s': { one: "'%s' is not known here.", other: "'%s' are not known here." },
  'Unknown command: %s': { one: "There is no command '%s'.", other: "There are no commands '%s'." },
  'Invalid values:': 'That cannot be chosen.',
  'Argument: %s, Given: %s, Choices: %s': '--%s was given %s; choose one of %s.',
  'Did you mean %s?': "There is no such command. Did you mean '%s'?",
}

/** Its types know only sentences without a plural. */
export const parserWords = words as Record<string, string>
