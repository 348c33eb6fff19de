/** Limits and defaults of reviews. A separate file, so that the options of `createHermes` can use them without loading the review code. */

/** Tokens; enough for the prompt, the entries and a few messages. */
export const MIN_INPUT_TOKENS = 4_000
/** Tokens. */
export const DEFAULT_MAX_INPUT_TOKENS = 24_000
/** Tokens. */
export const DEFAULT_MAX_OUTPUT_TOKENS = 2_000
/** Tokens; a skill is a page, not a sentence. */
export const DEFAULT_MAX_SKILL_OUTPUT_TOKENS = 6_000
/** Milliseconds. */
export const DEFAULT_TIMEOUT_MS = 120_000
/** Proposals in one answer. */
export const DEFAULT_MAX_PROPOSALS = 20
