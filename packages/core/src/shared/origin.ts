/**
 * The source of a text, from most to least trusted (DESIGN 5). Set by the platform, never by the model. `user`: the person's own words.
 * `assistant`: the agent's own conclusion without outside text in its context. `tool`: any tool result, document or recall, the quoted
 * parts of a user's message, and the assistant's words from the first of these on.
 */
export const ORIGINS = ['user', 'assistant', 'tool'] as const

export type Origin = (typeof ORIGINS)[number]

/** The origin of a statement from several sources: the least trusted of them. */
export const leastTrusted = (origins: readonly Origin[]): Origin | undefined =>
  origins.reduce<Origin | undefined>(
    (worst, origin) => (worst === undefined || ORIGINS.indexOf(origin) > ORIGINS.indexOf(worst) ? origin : worst),
    undefined,
  )
