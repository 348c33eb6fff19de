/** Runs a tool of the provider for the agent. The answer is always an object that the model can read, also for a failure. */
import { HermesError } from '../shared/hermes-error.ts'
import { isData, parseJson } from '../shared/json-texts.ts'
import type { MemoryProvider } from './memory-provider.ts'
import { cleanText, MAX_TOOL_CHARS, readToolAnswer } from './provider-answers.ts'
import type { UseHook } from './use-hook.ts'

type ToolAnswer = Readonly<Record<string, unknown>>

const failure = (error: string): ToolAnswer => ({ success: false, error: cleanText(error) })

const readInput = (input: unknown): ToolAnswer | undefined => {
  const value = typeof input === 'string' ? parseJson(input) : input
  return isData(value) ? value : undefined
}

export const runProviderTool = async (
  { provider, use, limitMs }: { readonly provider: MemoryProvider; readonly use: UseHook; readonly limitMs: number },
  call: { readonly name: string; readonly input: unknown; readonly sessionId: string },
): Promise<ToolAnswer> => {
  const { name, sessionId } = call
  if (!provider.tools?.some((tool) => tool.name === name)) return failure(`There is no tool '${name}'.`)
  const input = readInput(call.input)
  if (!input) return failure(`The input of '${name}' must be a JSON object.`)
  const outcome = await use(
    'callTool',
    async (callTool, given) => {
      const read = readToolAnswer(await callTool({ name, input, sessionId }, given))
      if (read.kind === 'not-json')
        throw new HermesError('provider', `Tool '${name}' of memory provider '${provider.name}' must answer with a JSON object.`)
      return read
    },
    { operation: `tool:${name}`, limitMs, countsErrors: false },
  )
  switch (outcome.kind) {
    case 'missing':
      return failure(`The memory provider does not run '${name}'.`)
    case 'skipped':
      return failure('The memory provider does not work at the moment. Go on without it.')
    case 'failed':
      return failure(outcome.error.message)
    case 'done':
      if (outcome.value.kind === 'answer') return outcome.value.answer
      return failure(`The answer of '${name}' is longer than ${MAX_TOOL_CHARS} characters. Ask for less.`)
  }
}
