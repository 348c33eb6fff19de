import { fenceContext } from '@hermes/core/adapter'
import { describe, expect, it } from 'vitest'
import { endingOf, restoreReasoning, scrubOutput, toItems, toTurnMessages } from './items.ts'

const FENCE = fenceContext('Recalled: tea in the kitchen.')
const answer = (text: string, more: object = {}) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, ...more }],
})

describe('whose words an item is', () => {
  it.each<[string, object, object]>([
    ['a text of the user', { role: 'user', content: 'Hello' }, { role: 'user', text: 'Hello' }],
    ['an answer', answer('Hello'), { role: 'assistant', text: 'Hello' }],
    [
      'a refusal',
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'I will not.' }] },
      { role: 'assistant', text: 'I will not.' },
    ],
    [
      'a call of a function',
      { type: 'function_call', name: 'page', arguments: '{}' },
      { role: 'assistant', text: '', toolNames: ['page'] },
    ],
    [
      'the result of a function',
      { type: 'function_call_result', name: 'page', output: { type: 'text', text: 'A page.' } },
      { role: 'tool', text: 'A page.', toolNames: ['page'] },
    ],
    [
      'a result of several parts',
      {
        type: 'function_call_result',
        name: 'page',
        output: [
          { type: 'input_text', text: 'A page.' },
          { type: 'input_image', image: 'data:…' },
        ],
      },
      { role: 'tool', text: 'A page.\n[input_image]', toolNames: ['page'] },
    ],
    [
      'a tool that the provider runs',
      { type: 'hosted_tool_call', id: 'ws_1', name: 'web_search_call', status: 'completed', output: 'A page.' },
      { role: 'tool', text: '{"name":"web_search_call","status":"completed","output":"A page."}', toolNames: ['web_search_call'] },
    ],
    [
      'a call of the computer',
      { type: 'computer_call', callId: '1', action: {} },
      { role: 'assistant', text: '', toolNames: ['computer'] },
    ],
    [
      'a screenshot',
      { type: 'computer_call_result', callId: '1', output: { type: 'computer_screenshot', data: 'data:…' } },
      { role: 'tool', text: '{"type":"computer_screenshot","data":"[data]"}', toolNames: ['computer'] },
    ],
    [
      'the output of a shell',
      { type: 'shell_call_output', callId: '1', output: [{ stdout: 'A page.' }] },
      { role: 'tool', text: '[{"stdout":"A page."}]', toolNames: ['shell'] },
    ],
    [
      'tools that a search found',
      { type: 'tool_search_output', callId: '1', tools: [{ description: 'A page.' }] },
      { role: 'tool', text: '[{"description":"A page."}]', toolNames: ['tool_search'] },
    ],
    [
      'an item of a later release',
      { type: 'oracle', words: 'A page.' },
      { role: 'tool', text: '{"words":"A page."}', toolNames: ['oracle'] },
    ],
    [
      'a hand-off with a name that a tool could have',
      { type: 'function_call_result', name: 'to_expert', output: { type: 'text', text: '{"assistant":"Expert"}' } },
      { role: 'tool', text: '{"assistant":"Expert"}' },
    ],
    [
      'an agent whose name is not that of the tool',
      { type: 'function_call_result', name: 'transfer_to_Expert', output: { type: 'text', text: '{"assistant":"Send it all"}' } },
      { role: 'tool' },
    ],
    ['a compaction', { type: 'compaction', encrypted_content: 'x' }, { role: 'user', outside: true }],
  ])('%s', (_what, item, message) => {
    expect(toTurnMessages([item as never])).toMatchObject([message])
  })

  it.each<[string, object, string]>([
    ['an image', { type: 'input_image', image: 'data:…' }, '[input_image]'],
    ['a file', { type: 'input_file', file: { id: '1' }, filename: 'a.pdf' }, '[input_file: a.pdf]'],
    ['a recording with its transcript', { type: 'audio', audio: 'data:…', transcript: 'A page.' }, '[audio]\nA page.'],
  ])('%s beside the user’s words is from outside', (_what, part, text) => {
    const own = { type: 'input_text', text: 'Look' }
    expect(toTurnMessages([{ role: 'user', content: [own, part] }])).toEqual([
      { role: 'user', text: 'Look' },
      { role: 'user', text, outside: true },
    ])
    expect(toTurnMessages([{ role: 'user', content: [part] }])[0]).toEqual({ role: 'user', text: '' })
  })

  it('an answer with sources rests on text from outside', () => {
    const annotations = [{ type: 'url_citation', title: 'A page', url: 'https://example.com' }]
    expect(toTurnMessages([answer('Hello', { providerData: { annotations } })])).toMatchObject([
      { role: 'tool', text: expect.stringContaining('https://example.com') },
      { role: 'assistant', text: 'Hello' },
    ])
  })

  it('a hand-off by the name of the SDK holds nobody’s text', () => {
    const output = { type: 'text', text: '{"assistant":"My Expert"}' }
    expect(toTurnMessages([{ type: 'function_call_result', name: 'transfer_to_My_Expert', output }])).toEqual([])
  })

  it('omits reasoning and system messages, except for fenced text', () => {
    const system = { role: 'system', content: `Be kind. ${FENCE}` }
    const reasoning = { type: 'reasoning', content: [{ type: 'input_text', text: 'Hm.' }] }
    expect(toTurnMessages([system, { role: 'user', content: 'Hello' }, reasoning])).toEqual([
      { role: 'user', text: 'Hello' },
      { role: 'user', text: FENCE, outside: true },
    ])
  })

  it.each([[null], [7], ['text'], [[]], [{ role: 'user' }], [{ role: 'assistant', content: [null, 7] }], [{ type: 7 }]])(
    'never throws: %j',
    (item) => {
      expect(() => toTurnMessages(toItems([item]))).not.toThrow()
      expect(() => endingOf(toItems([item]))).not.toThrow()
    },
  )
})

describe('how a call ends', () => {
  const call = { type: 'function_call', callId: '1', name: 'page', arguments: '{"a":1}' }

  it.each<[string, readonly object[], object]>([
    ['with an answer', [answer('Hello')], { turnFinished: true, calledTools: false }],
    [
      'with a call',
      [answer('Hello'), call],
      { turnFinished: false, calledTools: true, calls: [{ id: '1', name: 'page', input: '{"a":1}' }] },
    ],
    [
      'with a tool that the provider ran',
      [{ type: 'hosted_tool_call', name: 'web_search_call' }, answer('Hello')],
      { turnFinished: true, calledTools: true },
    ],
    [
      'with a tool that the provider ran and no answer',
      [{ type: 'hosted_tool_call', name: 'web_search_call' }],
      { turnFinished: false, calledTools: true },
    ],
    [
      'with a call for the host’s computer',
      [{ type: 'computer_call', callId: '1' }, answer('Hello')],
      { turnFinished: false, calledTools: true },
    ],
    [
      'with a shell that the provider ran',
      [{ type: 'shell_call', callId: '1' }, { type: 'shell_call_output', callId: '1' }, answer('Hello')],
      { turnFinished: true, calledTools: true },
    ],
    [
      'with a question for an approval',
      [{ type: 'hosted_tool_call', name: 'mcp_approval_request' }, answer('Hello')],
      { turnFinished: false },
    ],
    [
      'with a hand-off, which asks nobody',
      [{ ...call, name: 'transfer_to_Expert' }],
      { turnFinished: false, calls: [{ id: '1', name: 'transfer_to_Expert', input: '' }] },
    ],
    ['with nothing', [], { turnFinished: false, calledTools: false }],
  ])('%s', (_what, output, ending) => {
    expect(endingOf(output as never, ['transfer_to_Expert'])).toMatchObject(ending)
  })
})

describe('recalled text', () => {
  it('is removed where the model repeats it, and comes back in reasoning for the provider alone', () => {
    const originals = new Map<string, string>()
    const reasoning = { type: 'reasoning', content: [], rawContent: [{ type: 'reasoning_text', text: `Hm. ${FENCE} So.` }] }
    const call = { type: 'function_call', callId: '1' }
    const output = [reasoning, answer(`So: ${FENCE}done.`), call]
    const shown = scrubOutput(output, [FENCE], (text, original) => originals.set(text, original))
    expect(JSON.stringify(shown)).not.toContain('Recalled:')
    expect(shown[2]).toBe(call)
    const [restored] = restoreReasoning(toItems(shown), (text) => originals.get(text))
    expect(restored).toEqual(reasoning)
    expect(scrubOutput([{ role: 'assistant', content: `So: ${FENCE}done.` }], [FENCE], () => undefined)).toEqual([
      { role: 'assistant', content: 'So: done.' },
    ])
    expect(scrubOutput(output, [], () => undefined)).toBe(output)
  })
})
