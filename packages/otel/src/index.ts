/** The public surface of @hermes/otel. */
export { type HermesTelemetryOptions, hermesTelemetry } from './hermes-telemetry.ts'
