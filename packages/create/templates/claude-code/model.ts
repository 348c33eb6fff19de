/** Claude if ANTHROPIC_API_KEY is set. Otherwise Claude Code asks a scripted model at 127.0.0.1, so that the app runs without a key. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'

type Block = { type: string; text?: string }
type Body = { tools?: unknown[]; system?: Block[]; messages?: { role: string; content: string | Block[] }[] }

/** Calls the memory tool when told to remember something, and answers everything else with what its prompt says about the user. */
const answer = ({ tools = [], system = [], messages = [] }: Body) => {
  if (tools.length === 0) return { text: '{"proposals":[]}' } // a review, which calls no tools
  const content = messages.findLast(({ role }) => role === 'user')?.content ?? ''
  const last = typeof content === 'string' ? { type: 'text', text: content } : content.at(-1)
  if (typeof content !== 'string' && content.some(({ type }) => type === 'tool_result')) return { text: 'I will remember that.' }
  const [, fact] = /remember that (.+)/i.exec(last?.text ?? '') ?? []
  if (fact) return { input: { action: 'add', target: 'user', content: `The user says: ${fact}` } }
  const [, known = 'nothing yet'] = /USER PROFILE.*\n═+\n([\s\S]+?)(?:\n\n|$)/.exec(system.map(({ text }) => text).join('\n\n')) ?? []
  return { text: `From my memory: ${known}` }
}

const startScriptedModel = async (): Promise<string> => {
  const server = createServer(async (request, response) => {
    const { text, input } = answer((await json(request)) as Body)
    const send = (type: string, data: object) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
    const usage = { input_tokens: 0, output_tokens: 0 }
    const stop = { stop_reason: input ? 'tool_use' : 'end_turn', stop_sequence: null }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    send('message_start', { message: { id: 'msg', type: 'message', role: 'assistant', model: 'scripted', content: [], ...stop, usage } })
    const block = input ? { type: 'tool_use', id: 'toolu_1', name: 'mcp__hermes__memory', input: {} } : { type: 'text', text: '' }
    const delta = input ? { type: 'input_json_delta', partial_json: JSON.stringify(input) } : { type: 'text_delta', text }
    send('content_block_start', { index: 0, content_block: block })
    send('content_block_delta', { index: 0, delta })
    send('content_block_stop', { index: 0 })
    send('message_delta', { delta: stop, usage })
    send('message_stop', {})
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The environment of Claude Code. */
export const chosenModel = async (): Promise<Record<string, string | undefined>> => {
  if (process.env['ANTHROPIC_API_KEY']) return process.env
  const scripted = { ANTHROPIC_BASE_URL: await startScriptedModel(), ANTHROPIC_API_KEY: 'none' }
  // Your own settings, login and transcripts stay as they are.
  const apart = {
    CLAUDE_CONFIG_DIR: join(import.meta.dirname, 'node_modules/.cache/claude'),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }
  return { ...process.env, ...scripted, ...apart }
}
