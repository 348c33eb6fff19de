import { createHermes, inMemoryBackend } from '@hermes/core'
import type { ToolDefinition } from '@hermes/core/adapter'
import { recordingSession } from '@hermes/testing'
import { asSchema } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { hermesTools } from './hermes-tools.ts'

const contexts: Parameters<ToolDefinition['execute']>[1][] = []

const memory: ToolDefinition = {
  name: 'memory',
  description: 'Remembers.',
  inputSchema: z.object({ action: z.string() }),
  jsonSchema: { type: 'object', properties: { action: { type: 'string' } } },
  execute: async (input, context) => {
    contexts.push(context)
    return { success: true, input }
  },
}

const session = (...tools: readonly ToolDefinition[]) => recordingSession('chat', '', { tools })

describe('hermesTools', () => {
  it('offers the session’s tools as plain objects, in their order', () => {
    const tools = hermesTools(session(memory, { ...memory, name: 'another' }))
    expect(Object.keys(tools)).toEqual(['memory', 'another'])
    expect(tools.memory.description).toBe('Remembers.')
    expect(asSchema(tools.memory.inputSchema).jsonSchema).toBe(memory.jsonSchema)
  })

  it('shows a model the JSON schema of a tool, and has the SDK accept what its own schema accepts', async () => {
    const [definition] = createHermes({ storage: inMemoryBackend() }).session('chat').offerTools()
    const schema = asSchema(hermesTools(session(definition!)).memory.inputSchema)
    expect(await schema.jsonSchema).toEqual(definition?.jsonSchema)
    const input = { action: 'add', content: null, new_text: 'Prefers tabs.' }
    expect(await schema.validate?.(input)).toEqual({ success: true, value: input })
    expect(await schema.validate?.({ action: 'add', content: 5 })).toMatchObject({ success: false, error: expect.any(Error) })
  })

  it('leaves out what the session does not have, such as skills that are switched off', () => {
    expect(hermesTools(session(memory))).toEqual({ memory: expect.anything() })
    expect(hermesTools(session())).toEqual({})
  })

  it('offers only what is asked for, in the session’s order', () => {
    const all = session(memory, { ...memory, name: 'skills_list' }, { ...memory, name: 'skill_view' })
    expect(Object.keys(hermesTools(all, { only: ['skill_view', 'memory'], prefix: 'my_' }))).toEqual(['my_memory', 'my_skill_view'])
  })

  it('refuses to promise a tool that is switched off', () => {
    expect(() => hermesTools(session(memory), { only: ['memory', 'skill_view'] })).toThrow(/'skill_view'.*switched off/)
  })

  it('puts the prefix in front of each name', () => {
    expect(hermesTools(session(memory), { prefix: 'hermes_' }).hermes_memory.description).toBe('Remembers.')
  })

  it('hands the conversation to the gate', async () => {
    const messages = [
      { role: 'user', content: 'I like tabs.' },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: '1', toolName: 'search', input: {} }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: '1', toolName: 'search', output: { type: 'text', value: 'page' } }] },
    ]
    expect(await hermesTools(session(memory)).memory.execute({ action: 'add' }, { messages })).toEqual({
      success: true,
      input: { action: 'add' },
    })
    expect(contexts.at(-1)?.messages).toEqual([
      { role: 'user', text: 'I like tabs.' },
      { role: 'assistant', text: '', toolNames: ['search'] },
      { role: 'tool', text: 'page', toolNames: ['search'] },
    ])
  })

  it('says which call it answers', async () => {
    await hermesTools(session(memory)).memory.execute({ action: 'add' }, { messages: [], toolCallId: 'call-1' })
    expect(contexts.at(-1)?.toolCallId).toBe('call-1')
  })

  it('never rejects', async () => {
    const broken = { ...memory, execute: () => Promise.reject(new Error('bug')) }
    expect(await hermesTools(session(broken)).memory.execute({}, { messages: [] })).toMatchObject({ success: false })
  })
})
