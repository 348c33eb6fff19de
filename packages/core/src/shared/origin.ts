/**
 * Whose words something is, from most to least trusted (DESIGN 5). The platform stamps it, never the model.
 * `user`: the person's own words. `assistant`: the agent's own conclusion, no outside text in sight.
 * `tool`: any tool result, document or recall, the quoted parts of a user's message, and what the assistant says in a session from the first of these on.
 */
export const ORIGINS = ['user', 'assistant', 'tool'] as const

export type Origin = (typeof ORIGINS)[number]

/** The origin that decides when several sources carry one statement: the least trusted of them. */
export const leastTrusted = (origins: readonly Origin[]): Origin | undefined =>
  origins.reduce<Origin | undefined>(
    (worst, origin) => (worst === undefined || ORIGINS.indexOf(origin) > ORIGINS.indexOf(worst) ? origin : worst),
    undefined,
  )
