/** What Hermes has learned since the session's last result, in the metadata of a result: `providerMetadata.hermes`. */
import type { Learned } from '@hermes/core'
import { asRecord } from '@hermes/core/adapter'

/** The metadata of a result with what was learned; other providers' metadata stays. */
export const withLearned = (metadata: unknown, learned: Learned): Readonly<Record<string, unknown>> => ({
  ...asRecord(metadata),
  hermes: { ...learned },
})

/** What the `providerMetadata` of a result or of a finished step says was learned; undefined if nothing was. */
export const learnedOf = (metadata: unknown): Learned | undefined => {
  const hermes = asRecord(asRecord(metadata)['hermes'])
  return Array.isArray(hermes['learned']) ? (hermes as unknown as Learned) : undefined
}
