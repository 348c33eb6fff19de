/** A listener that records Hermes events with OpenTelemetry. */
import type { HermesEvent, HermesEventListener } from '@hermes/core'
import type { Meter, Tracer } from '@opentelemetry/api'
import { countedBy, memoryChangeOf } from './event-attributes.ts'
import { eventSpans } from './event-spans.ts'
import { createInstruments } from './instruments.ts'
import { countOf, type Fields } from './read-fields.ts'

export interface HermesTelemetryOptions {
  /** The host's tracer: `trace.getTracer('my-app')`. */
  readonly tracer: Tracer
  /** The host's meter: `metrics.getMeter('my-app')`. */
  readonly meter: Meter
  /**
   * `gen_ai.provider.name`: the provider of the review model, such as `openai`. Default `hermes`, since Hermes does not know the provider.
   */
  readonly provider?: string | undefined
  /** Adds the owner of a home to its spans, as `user.id` and `hermes.tenant`. Personal data; default false. */
  readonly recordOwner?: boolean | undefined
  /** The host's own listener, called with each event after it was recorded. Hermes ignores what it throws. */
  readonly next?: HermesEventListener | undefined
}

const requireMethod = (option: 'tracer' | 'meter', value: unknown, method: string, from: string): void => {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, method) : undefined
  if (typeof found === 'function') return
  throw new TypeError(`'${option}' has no method '${method}'. Pass what ${from} of '@opentelemetry/api' returns.`)
}

/**
 * For `onEvent` of `createHermes` or `createHermesHomes`; create one listener for each. Throws a TypeError if `tracer` or `meter` is
 * invalid. The listener itself never throws, and records no text of a memory, a skill or an error.
 */
export const hermesTelemetry = ({
  tracer,
  meter,
  provider = 'hermes',
  recordOwner = false,
  next,
}: HermesTelemetryOptions): HermesEventListener => {
  requireMethod('tracer', tracer, 'startSpan', 'trace.getTracer(name)')
  requireMethod('meter', meter, 'createHistogram', 'metrics.getMeter(name)')
  const instruments = createInstruments(meter, provider)
  const spans = eventSpans({ tracer, provider, recordOwner, onEnded: instruments.recordOperation })

  const record = (event: Fields): void => {
    instruments.countEvent(countedBy(event))
    if (event['type'] === 'turns-dropped') instruments.countDroppedTurns(countOf(event['turns']) ?? 0)
    if (event['type'] === 'memory-changed') instruments.countMemoryChange(memoryChangeOf(event))
    const at = countOf(event['at'])
    if (at !== undefined) spans.record(event, at)
  }

  return (event: HermesEvent) => {
    try {
      record(event as unknown as Fields)
    } catch {
      // OpenTelemetry promises not to throw, but after a failure in an exporter or a processor the host's own listener must still be
      // called.
    }
    try {
      // Hermes ignores the rejection of a returned promise.
      return next?.(event)
    } catch {
      return undefined
    }
  }
}
