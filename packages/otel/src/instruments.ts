/** The metrics of Hermes. They have few attributes, and never a session or an owner. */
import type { LearningCost } from '@hermes/core'
import type { Attributes, Meter } from '@opentelemetry/api'
import {
  ERROR_TYPE,
  OPERATION_DURATION,
  OPERATION_NAME,
  PROVIDER_NAME,
  REQUEST_MODEL,
  SECOND_BUCKETS,
  TOKEN_BUCKETS,
  TOKEN_TYPE,
  TOKEN_USAGE,
} from './conventions.ts'
import type { MemoryChange } from './event-attributes.ts'

/** A review or a curator run that has ended. */
export interface EndedOperation {
  readonly name: string
  readonly durationMs: number
  readonly cost: LearningCost | undefined
  readonly errorType: string | undefined
}

export interface Instruments {
  readonly countEvent: (attributes: Attributes) => void
  readonly countDroppedTurns: (turns: number) => void
  readonly countMemoryChange: (change: MemoryChange) => void
  readonly recordOperation: (operation: EndedOperation) => void
}

export const createInstruments = (meter: Meter, provider: string): Instruments => {
  const events = meter.createCounter('hermes.events', { unit: '{event}', description: 'Events of Hermes.' })
  const droppedTurns = meter.createCounter('hermes.turns.dropped', { unit: '{turn}', description: 'Turns that no review has read.' })
  const memoryChanges = meter.createCounter('hermes.memory.changes', {
    unit: '{entry}',
    description: 'Entries of memory that were added, removed, or evicted to make room.',
  })
  const tokens = meter.createHistogram(TOKEN_USAGE, {
    unit: '{token}',
    description: 'Number of input and output tokens used.',
    advice: { explicitBucketBoundaries: TOKEN_BUCKETS },
  })
  // The conventions exclude estimated token counts from the metric above.
  const estimatedTokens = meter.createCounter('hermes.learning.estimated_tokens', {
    unit: '{token}',
    description: 'Tokens of background calls whose provider counted none, as Hermes estimates them.',
  })
  const duration = meter.createHistogram(OPERATION_DURATION, {
    unit: 's',
    description: 'GenAI operation duration.',
    advice: { explicitBucketBoundaries: SECOND_BUCKETS },
  })

  const recordTokens = (cost: LearningCost, attributes: Attributes): void => {
    const counted = { input: cost.inputTokens, output: cost.outputTokens }
    for (const [type, count] of Object.entries(counted)) {
      const labelled = { ...attributes, [TOKEN_TYPE]: type }
      if (cost.estimated) estimatedTokens.add(count, labelled)
      else tokens.record(count, labelled)
    }
  }

  return {
    countEvent: (attributes) => events.add(1, attributes),
    countDroppedTurns: (turns) => droppedTurns.add(turns),
    countMemoryChange: ({ entries, actor, target }) => {
      for (const [action, count] of Object.entries(entries)) {
        if (count === 0) continue
        memoryChanges.add(count, { 'hermes.memory.action': action, 'hermes.memory.actor': actor, 'hermes.memory.target': target })
      }
    },
    recordOperation: ({ name, durationMs, cost, errorType }) => {
      const attributes: Attributes = {
        [OPERATION_NAME]: name,
        [PROVIDER_NAME]: provider,
        ...(cost?.model === undefined ? {} : { [REQUEST_MODEL]: cost.model }),
      }
      duration.record(durationMs / 1_000, errorType === undefined ? attributes : { ...attributes, [ERROR_TYPE]: errorType })
      if (cost !== undefined) recordTokens(cost, attributes)
    },
  }
}
