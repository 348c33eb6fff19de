import { describe, expect, it } from 'vitest'
import { stepReply } from './step-reply.ts'

const replyOf = (...parts: readonly unknown[]) => {
  const reply = stepReply()
  for (const part of parts) reply.add(part)
  return reply
}

const call = (toolName: string, more: object = {}) => ({ type: 'tool-call', toolCallId: '1', toolName, input: '{}', ...more })

describe('stepReply', () => {
  it('puts streamed deltas together, each text in its place', () => {
    const reply = replyOf(
      { type: 'text-start', id: 'a' },
      { type: 'text-delta', id: 'a', delta: 'Hel' },
      { type: 'reasoning-delta', id: 'r', delta: 'hidden' },
      { type: 'text-delta', id: 'a', delta: 'lo' },
      { type: 'text-end', id: 'a' },
      { type: 'text-delta', id: 'b', delta: '!' },
    )
    expect(reply.text()).toBe('Hello!')
    expect(reply.messages()).toEqual([{ role: 'assistant', text: 'Hello\n!' }])
    expect(reply.calledTools).toBe(false)
  })

  it.each([
    ['a V2 stop', 'stop', 'finished'],
    ['a V3 stop', { unified: 'stop', raw: 'end_turn' }, 'finished'],
    ['the token limit', { unified: 'length', raw: undefined }, 'finished'],
    ['a content filter', 'content-filter', 'finished'],
    ['an unknown reason', 'unknown', 'finished'],
    ['tool calls', 'tool-calls', 'open'],
    ['tool calls in V4', { unified: 'tool-calls', raw: 'x' }, 'open'],
    ['an error', 'error', 'failed'],
    ['an interruption', { unified: 'interrupted', raw: undefined }, 'failed'],
  ])('ends a step for %s', (_what, reason, ending) => {
    expect(replyOf({ type: 'text', text: 'x' }).ending(reason)).toBe(ending)
  })

  it('leaves the turn open for a tool of the host’s, whatever the provider calls the ending', () => {
    const reply = replyOf(call('search'))
    expect(reply.calledTools).toBe(true)
    expect(reply.ending('stop')).toBe('open')
    expect(reply.messages()).toEqual([{ role: 'assistant', text: '', toolNames: ['search'] }])
  })

  it('leaves the turn open while an approval is asked for', () => {
    expect(replyOf({ type: 'tool-approval-request', approvalId: '1', toolCallId: '1' }).ending('stop')).toBe('open')
  })

  it('ends the turn after a tool that the provider ran, counts it, and keeps its result as text from outside', () => {
    const reply = replyOf(
      call('web_search', { providerExecuted: true }),
      { type: 'tool-result', toolCallId: '1', toolName: 'web_search', result: ['draft'], preliminary: true },
      { type: 'tool-result', toolCallId: '1', toolName: 'web_search', result: ['page'] },
      { type: 'text', text: 'So it is.' },
    )
    expect(reply.ending('stop')).toBe('finished')
    expect(reply.calledTools).toBe(true)
    expect(reply.messages()).toEqual([
      { role: 'assistant', text: '', toolNames: ['web_search'] },
      { role: 'tool', text: '["page"]', toolNames: ['web_search'] },
      { role: 'assistant', text: 'So it is.' },
    ])
  })

  it('marks an answer that leans on sources as standing on text from outside', () => {
    const reply = replyOf(
      { type: 'text', text: 'So it is.' },
      { type: 'source', sourceType: 'url', id: '1', url: 'https://a.test', title: 'A' },
    )
    expect(reply.messages()).toEqual([
      { role: 'assistant', text: 'So it is.' },
      { role: 'tool', text: '[source: A, https://a.test]' },
    ])
  })

  it('survives parts that it does not know', () => {
    expect(replyOf(undefined, null, 'x', { type: 'hologram' }, {}).messages()).toEqual([])
  })
})
