import { AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages'
import { describe, expect, it } from 'vitest'
import { placeBlock } from './place-block.ts'

const user = new HumanMessage('Hello')
const contents = (messages: readonly { readonly content: unknown }[]) => messages.map((message) => message.content)

describe('placeBlock', () => {
  it('joins the host’s last leading system message', () => {
    const messages = [new SystemMessage('One.'), new SystemMessage('Two.'), user]
    expect(contents(placeBlock(messages, 'BLOCK'))).toEqual(['One.', 'Two.\n\nBLOCK', 'Hello'])
    expect(contents(messages)).toEqual(['One.', 'Two.', 'Hello'])
  })

  it('makes a system message if there is none in front', () => {
    expect(placeBlock([user, new AIMessage('Hi')], 'BLOCK')[0]).toBeInstanceOf(SystemMessage)
    expect(contents(placeBlock([user], 'BLOCK'))).toEqual(['BLOCK', 'Hello'])
  })

  it('joins the last text part, and stays apart from one that carries a cache breakpoint', () => {
    const cached = { type: 'text', text: 'Two.', cache_control: { type: 'ephemeral' } }
    expect(contents(placeBlock([new SystemMessage({ content: [{ type: 'text', text: 'One.' }] }), user], 'BLOCK'))[0]).toEqual([
      { type: 'text', text: 'One.\n\nBLOCK' },
    ])
    expect(contents(placeBlock([new SystemMessage({ content: [cached] }), user], 'BLOCK'))[0]).toEqual([
      cached,
      { type: 'text', text: 'BLOCK' },
    ])
  })

  it('keeps what else the host’s message carries', () => {
    const host = new SystemMessage({ content: 'One.', additional_kwargs: { __openai_role__: 'developer' }, name: 'host', id: 's1' })
    expect(placeBlock([host, user], 'BLOCK')[0]).toMatchObject({
      additional_kwargs: { __openai_role__: 'developer' },
      name: 'host',
      id: 's1',
    })
  })

  it('touches nothing when the block is empty or there already', () => {
    const messages = [new SystemMessage('One.\n\nBLOCK'), user]
    expect(placeBlock(messages, '')).toBe(messages)
    expect(placeBlock(messages, 'BLOCK')).toBe(messages)
  })
})
