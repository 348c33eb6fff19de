/**
 * Overhead of @hermes/otel for a turn: without a listener, which is the cost of disabled telemetry, with a listener that does nothing, and with telemetry on a real
 * SDK. A plain turn emits one event, the start of its session; a reviewed turn emits the review too. The three alternate in one run.
 * Target: disabled telemetry costs at most 0.05 ms per turn.
 */
import { createHermes, type HermesEventListener, inMemoryBackend } from '@hermes/core'
import { hermesTelemetry } from '@hermes/otel'
import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import { type Report, table } from '../report.ts'
import { takeTurns, timesTable } from '../timing.ts'

const WARM_UP = 200
const ROUNDS = 1_000
const EVENTS = 20_000

/** Drops the spans, because network cost is not measured. */
const sink: SpanExporter = { export: (_spans, done) => done({ code: 0 }), shutdown: async () => {} }

const sdk = () => {
  const tracers = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(sink)] })
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const meters = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })] })
  const shutdown = async () => {
    await tracers.shutdown()
    await meters.shutdown()
  }
  return { tracer: tracers.getTracer('bench'), meter: meters.getMeter('bench'), shutdown }
}

const FACT = { target: 'user', op: { action: 'add', content: 'The user lives in Lisbon' }, rationale: 'said so', score: 0.9, evidence: [] }
const ANSWER = JSON.stringify({ proposals: [FACT] })

/** One turn of a new session, including its background work. */
const playTurn = async (reviewed: boolean, onEvent: HermesEventListener | undefined, round: number): Promise<void> => {
  const hermes = createHermes({
    storage: inMemoryBackend(),
    nudge: { memoryInterval: reviewed ? 1 : 0, skillInterval: 0 },
    ...(onEvent ? { onEvent } : {}),
  })
  const session = hermes.session('bench')
  const messages = [
    { role: 'user', text: `I live in Lisbon, ${round}` },
    { role: 'assistant', text: 'Lovely!' },
  ] as const
  await session.systemBlock()
  session.recordTurn({ messages: [...messages], model: async () => ANSWER })
  await hermes.settled()
  await hermes.close()
}

const turns = async (reviewed: boolean, telemetry: HermesEventListener): Promise<string> => {
  const times = await takeTurns(
    {
      'without a listener': { act: (round) => playTurn(reviewed, undefined, round) },
      'a listener that does nothing': { act: (round) => playTurn(reviewed, () => {}, round) },
      telemetry: { act: (round) => playTurn(reviewed, telemetry, round) },
    },
    ROUNDS,
    WARM_UP,
  )
  return timesTable(reviewed ? 'a turn with a review' : 'a plain turn', times)
}

/** Microseconds that the listener takes for one event, and for the two events of a review with its counts. */
const events = (telemetry: HermesEventListener): string => {
  const outcome = { applied: [], held: [], rejected: [], failed: [] }
  const perEvent = (tell: (round: number) => void): number => {
    for (let round = 0; round < EVENTS / 10; round++) tell(round)
    const start = performance.now()
    for (let round = 0; round < EVENTS; round++) tell(round)
    return ((performance.now() - start) / EVENTS) * 1_000
  }
  const counted = perEvent((at) => telemetry({ type: 'session-started', sessionId: 'bench', at, newSession: true, chars: 0 }))
  const review = perEvent((at) => {
    telemetry({ type: 'review-started', sessionId: 'bench', at, reviews: 'memory', turns: 10, iterations: 0 })
    telemetry({ type: 'review-finished', sessionId: 'bench', at, outcome })
  })
  return table(
    ['the listener alone', 'µs'],
    [
      ['an event that is counted', counted.toFixed(2)],
      ['a review, its start and end', review.toFixed(2)],
    ],
  )
}

export const measureTelemetry = async (): Promise<Report> => {
  const { tracer, meter, shutdown } = sdk()
  const telemetry = hermesTelemetry({ tracer, meter })
  const blocks = [await turns(false, telemetry), await turns(true, telemetry), events(telemetry)]
  await shutdown()
  return { blocks }
}
