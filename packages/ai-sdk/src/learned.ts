/** What Hermes has learned since the session's last result, in the metadata of a result: `providerMetadata.hermes`. */
import type { Learned, LearnedChange } from '@hermes/core'
import { asRecord } from '@hermes/core/adapter'

const withoutContent = ({ content: _, ...change }: LearnedChange): LearnedChange => change

/**
 * The metadata of a result with what was learned; other providers' metadata stays. Without the entries' texts for a model of `ai` 5, whose telemetry records this
 * metadata even if it is told to record no outputs.
 */
export const withLearned = (metadata: unknown, { learned, held }: Learned, model: object): Readonly<Record<string, unknown>> => ({
  ...asRecord(metadata),
  hermes: { learned: asRecord(model)['specificationVersion'] === 'v2' ? learned.map(withoutContent) : learned, held },
})

/** What the `providerMetadata` of a result or of a finished step says was learned; undefined if nothing was. */
export const learnedOf = (metadata: unknown): Learned | undefined => {
  const hermes = asRecord(asRecord(metadata)['hermes'])
  return Array.isArray(hermes['learned']) ? (hermes as unknown as Learned) : undefined
}
