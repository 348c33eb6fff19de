/**
 * Overhead of @hermes/otel for a turn: without a listener, which is the cost of disabled telemetry, with a listener that does nothing, and with telemetry on a real
 * SDK. A plain turn emits one event, the start of its session; a reviewed turn emits the review too. The three alternate in one run.
 * Target: disabled telemetry costs at most 0.05 ms per turn.
 */
import { createHermes, type HermesEventListener, inMemoryBackend } from '@hermes/core'
import { hermesTelemetry } from '@hermes/otel'
import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'

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

const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0

/** Milliseconds of one turn of a new session, including its background work. */
const timeTurn = async (reviewed: boolean, onEvent: HermesEventListener | undefined, round: number): Promise<number> => {
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
  const start = performance.now()
  await session.systemBlock()
  session.recordTurn({ messages: [...messages], model: async () => ANSWER })
  await hermes.settled()
  const took = performance.now() - start
  await hermes.close()
  return took
}

const turns = async (reviewed: boolean, telemetry: HermesEventListener): Promise<void> => {
  const ways: readonly (readonly [string, HermesEventListener | undefined])[] = [
    ['without a listener', undefined],
    ['a listener that does nothing', () => {}],
    ['telemetry', telemetry],
  ]
  const times = ways.map((): number[] => [])
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (const turn of ways.keys()) {
      // Each variant is first, second and third equally often.
      const way = (turn + round) % ways.length
      const took = await timeTurn(reviewed, ways[way]?.[1], round)
      if (round >= WARM_UP) times[way]?.push(took)
    }
  }
  console.log(`${reviewed ? 'a turn with a review' : 'a plain turn'}, ${ROUNDS} sessions of each`)
  const bare = percentile(times[0] ?? [], 0.5)
  for (const [way, [name]] of ways.entries()) {
    const p50 = percentile(times[way] ?? [], 0.5)
    const p99 = percentile(times[way] ?? [], 0.99)
    console.log(
      `  ${name.padEnd(30)} p50 ${p50.toFixed(4)} ms   p99 ${p99.toFixed(4)} ms   ratio ${(p50 / bare).toFixed(3)}   difference ${(p50 - bare).toFixed(4)} ms`,
    )
  }
}

/** Microseconds that the listener takes for one event, and for the two events of a review with its counts. */
const events = (telemetry: HermesEventListener): void => {
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
  console.log('the listener alone')
  console.log(`  an event that is counted       ${counted.toFixed(2)} µs`)
  console.log(`  a review, its start and end    ${review.toFixed(2)} µs`)
}

export const run = async (): Promise<void> => {
  const { tracer, meter, shutdown } = sdk()
  const telemetry = hermesTelemetry({ tracer, meter })
  await turns(false, telemetry)
  await turns(true, telemetry)
  events(telemetry)
  await shutdown()
}

if (import.meta.main) await run()
