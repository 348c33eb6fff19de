/** The tools that a message asks the host to run, for the session to recognise its own. */
import type { ModelToolCall } from '@hermes/core/adapter'
import { asList, asRecord, asText } from '@hermes/core/adapter'

export const toolCallsOf = (message: unknown): readonly Pick<ModelToolCall, 'id' | 'name' | 'input'>[] =>
  asList(asRecord(message)['tool_calls'])
    .map(asRecord)
    .map((call) => ({ id: asText(call['id']), name: asText(call['name']), input: call['args'] }))
