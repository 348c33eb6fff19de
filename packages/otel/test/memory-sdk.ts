/** An OpenTelemetry SDK that records in memory. */
import {
  AggregationTemporality,
  type DataPoint,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'

export const memorySdk = () => {
  const spanExporter = new InMemorySpanExporter()
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spanExporter)] })
  const reader = new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: 1_000_000 })
  const meters = new MeterProvider({ readers: [reader] })
  return {
    tracer: tracers.getTracer('test'),
    meter: meters.getMeter('test'),
    spans: (): readonly ReadableSpan[] => spanExporter.getFinishedSpans(),
    /** The current points of a metric; empty if nothing was recorded. */
    points: async (metric: string): Promise<readonly DataPoint<unknown>[]> => {
      metricExporter.reset()
      await reader.forceFlush()
      const metrics = metricExporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
      return metrics.filter(({ descriptor }) => descriptor.name === metric).flatMap(({ dataPoints }) => dataPoints as DataPoint<unknown>[])
    },
    metricNames: async (): Promise<readonly string[]> => {
      metricExporter.reset()
      await reader.forceFlush()
      return metricExporter
        .getMetrics()
        .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics.map(({ descriptor }) => descriptor.name)))
    },
    shutdown: async (): Promise<void> => {
      await tracers.shutdown()
      await meters.shutdown()
    },
  }
}

/** Epoch milliseconds of a span's start and end. */
export const timesOf = ({ startTime, endTime }: ReadableSpan): readonly [number, number] => {
  const ms = ([seconds, nanos]: readonly [number, number]): number => seconds * 1_000 + nanos / 1_000_000
  return [ms(startTime), ms(endTime)]
}

/** The sum of all values of a histogram's point. */
export const sumOf = (point: DataPoint<unknown> | undefined): unknown => Reflect.get(Object(point?.value), 'sum')
