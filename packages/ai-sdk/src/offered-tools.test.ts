import { expect, it } from 'vitest'
import { offeredTools } from './offered-tools.ts'

it('names the tools that the host runs', () => {
  const tools = [
    { type: 'function', name: 'memory', description: 'Remembers.', inputSchema: {} },
    { type: 'provider-defined', id: 'openai.search', name: 'search', args: {} },
    { type: 'function', name: 'lookup', inputSchema: {} },
  ]
  expect(offeredTools(tools)).toEqual([
    { name: 'memory', description: 'Remembers.' },
    { name: 'lookup', description: '' },
  ])
})

it.each([undefined, null, {}, 'memory', [7, null]])('finds none in %j', (tools) => {
  expect(offeredTools(tools)).toEqual([])
})
