import { createHermes, inMemoryBackend } from '@hermes/core'
import type { HermesWarning, ToolDefinition } from '@hermes/core/adapter'
import { recordingSession } from '@hermes/testing'
import { HumanMessage } from '@langchain/core/messages'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { hermesTools, toLangChainTools } from './hermes-tools.ts'

const add = { target: 'user', action: 'add', content: 'Prefers tabs over spaces.' }
const said = 'I prefer tabs over spaces.'

describe('hermesTools', () => {
  it('offers the session’s tools, and what they write is remembered', async () => {
    const hermes = createHermes({ storage: inMemoryBackend() })
    const session = hermes.session('chat')
    session.beginStep([{ role: 'user', text: said }])
    const [memory] = hermesTools(session)
    expect(memory?.name).toBe('memory')
    expect(JSON.parse(await memory?.invoke(add))).toMatchObject({ success: true })
    expect(await hermes.session('next').systemBlock()).toContain('Prefers tabs over spaces.')
  })

  it('takes null as absent, also in a list, and the names that other agents use', async () => {
    const session = createHermes({ storage: inMemoryBackend() }).session('chat')
    session.beginStep([{ role: 'user', text: said }])
    const [memory] = hermesTools(session)
    const operations = [{ action: 'add', content: null, new_text: add.content, old_text: null }]
    expect(JSON.parse(await memory?.invoke({ target: 'user', action: null, operations }))).toMatchObject({ success: true })
    const call = { id: 'call-1', name: 'memory', args: { ...add, operations: null }, type: 'tool_call' } as const
    expect(await memory?.invoke(call)).toMatchObject({ content: expect.stringContaining('"success":true') })
  })

  it('has LangChain refuse what is no input of the tool, and name the parameter', async () => {
    const [memory] = hermesTools(createHermes({ storage: inMemoryBackend() }).session('chat'))
    await expect(memory?.invoke({ ...add, content: 5 })).rejects.toThrow(/content/)
    await expect(memory?.invoke({ ...add, action: 'read' })).rejects.toThrow(/action/)
  })

  it('answers a call of a model with the message that belongs to it, under the name it was offered', async () => {
    const session = createHermes({ storage: inMemoryBackend() }).session('chat')
    session.beginStep([{ role: 'user', text: said }])
    const [memory] = hermesTools(session, { prefix: 'my_' })
    const message = await memory?.invoke({ id: 'call-1', name: 'my_memory', args: add, type: 'tool_call' })
    expect(message).toMatchObject({ name: 'my_memory', tool_call_id: 'call-1', content: expect.stringContaining('"success":true') })
  })

  it('writes notes on the project that a call names, if it is told that calls do', async () => {
    const hermes = createHermes({ storage: inMemoryBackend() })
    const [plain] = hermesTools(hermes)
    const [memory] = hermesTools(hermes, { projects: true })
    expect([plain, memory].map((tool) => JSON.stringify(tool?.schema).includes('project'))).toEqual([false, true])
    const configurable = { thread_id: 'chat', hermes_project: 'webshop' }
    const note = { ...add, target: 'project' }
    expect(JSON.parse(await memory?.invoke(note, { configurable }))).toMatchObject({ success: true, target: 'project' })
    expect(JSON.parse(await memory?.invoke(note, { configurable: { thread_id: 'other' } }))).toMatchObject({ success: false })
    expect(await hermes.memory.list('project', { project: 'webshop' })).toMatchObject({ ok: true, value: [{ content: add.content }] })
  })

  it('reads whose words they are from the state that LangGraph lends a tool', async () => {
    const hermes = createHermes({ storage: inMemoryBackend() })
    const [memory] = hermesTools(hermes.session('chat'))
    const config = { state: { messages: [new HumanMessage(said)] } }
    expect(JSON.parse(await memory?.invoke(add, config as object))).toMatchObject({ success: true })
  })

  it('shows a model the JSON schema of a memory provider’s tool', async () => {
    const jsonSchema = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] }
    const search: ToolDefinition = {
      name: 'session_search',
      description: 'Searches.',
      inputSchema: z.looseObject({}),
      jsonSchema,
      execute: async (input) => ({ found: input }),
    }
    const [tool] = hermesTools(recordingSession('chat', '', { tools: [search] }))
    expect(convertToOpenAITool(tool!).function).toMatchObject({ name: 'session_search', parameters: jsonSchema })
    expect(JSON.parse(await tool?.invoke({ query: 'tea' }))).toEqual({ found: { query: 'tea' } })
  })

  it('never fails a run: without a session, and when a tool breaks its promise, the model is told', async () => {
    const [definition] = createHermes({ storage: inMemoryBackend() }).session('pattern').offerTools()
    const broken = { ...definition!, execute: () => Promise.reject(new Error('broken')) }
    const pattern = recordingSession('chat', '', { tools: [broken] })
    const warnings: HermesWarning[] = []
    const onWarning = (warning: HermesWarning) => warnings.push(warning)
    const [lost] = toLangChainTools(pattern.offerTools(), { findSession: () => undefined, prefix: '', warn: onWarning })
    const [failing] = hermesTools(pattern, { onWarning })
    expect(JSON.parse(await lost?.invoke(add))).toMatchObject({ success: false, error: expect.stringContaining('no session') })
    expect(JSON.parse(await failing?.invoke(add))).toMatchObject({ success: false, error: expect.stringContaining('unexpectedly') })
    expect(warnings).toMatchObject([{ code: 'unexpected', cause: { message: 'broken' } }])
  })
})
