/**
 * The source of a text, from most to least trusted (DESIGN 5). Set by the platform, never by the model. `user`: the person's own words.
 * `host`: what the host's own code wrote. `assistant`: the agent's own conclusion without outside text in its context. `tool`: any tool
 * result, document or recall, the quoted parts of a user's message, and the assistant's words from the first of these on.
 */
export const ORIGINS = ['user', 'host', 'assistant', 'tool'] as const

export type Origin = (typeof ORIGINS)[number]

/** Known, and not from outside. */
export const isOwnOrigin = (origin: string | undefined): boolean => origin !== undefined && origin !== 'tool'

/** The origin of a statement from several sources: the least trusted of them. */
export const leastTrusted = (origins: readonly Origin[]): Origin | undefined =>
  origins.reduce<Origin | undefined>(
    (worst, origin) => (worst === undefined || ORIGINS.indexOf(origin) > ORIGINS.indexOf(worst) ? origin : worst),
    undefined,
  )
