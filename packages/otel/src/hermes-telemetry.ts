/** The listener that tells OpenTelemetry what happens behind the turn. */
import type { HermesEvent, HermesEventListener } from '@hermes/core'
import type { Meter, Tracer } from '@opentelemetry/api'
import { countedBy, memoryChangeOf } from './event-attributes.ts'
import { eventSpans } from './event-spans.ts'
import { createInstruments } from './instruments.ts'
import { countOf, type Fields } from './read-fields.ts'

export interface HermesTelemetryOptions {
  /** Of the host: `trace.getTracer('my-app')`. */
  readonly tracer: Tracer
  /** Of the host: `metrics.getMeter('my-app')`. */
  readonly meter: Meter
  /** `gen_ai.provider.name`: who serves the model that reviews, such as `openai`. Default `hermes`, for Hermes does not know. */
  readonly provider?: string | undefined
  /** Puts the owner of a home on its spans, as `user.id` and `hermes.tenant`. Personal data; default false. */
  readonly recordOwner?: boolean | undefined
  /** The host's own listener, called with each event after it was recorded. What it throws is ignored, as Hermes does. */
  readonly next?: HermesEventListener | undefined
}

const requireMethod = (option: 'tracer' | 'meter', value: unknown, method: string, from: string): void => {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, method) : undefined
  if (typeof found === 'function') return
  throw new TypeError(`'${option}' has no method '${method}'. Pass what ${from} of '@opentelemetry/api' returns.`)
}

/**
 * For `onEvent` of `createHermes` or `createHermesHomes`; one listener for each. Throws a TypeError where `tracer` or `meter` is none. The listener
 * itself never throws. It records no text of a memory, a skill or an error.
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
      // OpenTelemetry promises not to throw; a faulty exporter or processor must not cost the host its own listener.
    }
    try {
      // A promise goes back to Hermes, which ignores its rejection.
      return next?.(event)
    } catch {
      return undefined
    }
  }
}
