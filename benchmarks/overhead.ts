/**
 * What Hermes adds to what a host does anyway.
 * - `adapters`: to a call of the AI SDK, LangChain and the OpenAI Agents SDK, around an instant model.
 * - `telemetry`: @hermes/otel to a turn, on a real SDK.
 * - `tools`: the agent's tools to each prompt, in tokens.
 */
import { measureAdapters } from './overhead/adapters.ts'
import { measureTelemetry } from './overhead/telemetry.ts'
import { measureTools } from './overhead/tools.ts'

export const parts = { adapters: measureAdapters, telemetry: measureTelemetry, tools: measureTools }
