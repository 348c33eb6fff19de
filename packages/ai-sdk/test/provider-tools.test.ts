/** Tools of a memory provider, which are described in JSON schema, with every major. */
import type { ToolDefinition } from '@hermes/core/adapter'
import { recordingSession } from '@hermes/testing'
import type { LanguageModel } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { hermesTools } from '../src/index.ts'
import { MAJORS } from './support/majors.ts'
import { type ScriptedParams, scriptedModel } from './support/scripted-model.ts'

const jsonSchema = { type: 'object', properties: { query: { type: 'string', description: 'Words.' } }, required: ['query'] }

describe.each(MAJORS)('$name', ({ ai, specification }) => {
  it('shows the model the provider’s schema, and runs the tool', async () => {
    const inputs: unknown[] = []
    const search: ToolDefinition = {
      name: 'session_search',
      description: 'Searches.',
      inputSchema: z.looseObject({}),
      jsonSchema,
      execute: async (input) => {
        inputs.push(input)
        return { found: 1 }
      },
    }
    const seen: ScriptedParams[] = []
    const model = scriptedModel({
      specification,
      answer: async (_, params) => {
        seen.push(params)
        if (seen.length === 1) return { type: 'tool-call', toolName: 'session_search', input: { query: 'tea' } }
        async function* text(): AsyncGenerator<string> {
          yield 'Done.'
        }
        return { type: 'text', chunks: text() }
      },
    }) as unknown as Exclude<LanguageModel, string>
    const tools = hermesTools(recordingSession('chat', '', { tools: [search] }))
    const { text } = await ai.generateText({ model, tools, prompt: 'Tea?', stopWhen: ai.stepCountIs(3) })
    expect(text).toBe('Done.')
    expect(seen[0]?.tools).toMatchObject([{ name: 'session_search', description: 'Searches.', inputSchema: jsonSchema }])
    expect(inputs).toEqual([{ query: 'tea' }])
  })
})
