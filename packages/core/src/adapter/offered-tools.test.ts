import { expect, it } from 'vitest'
import { functionsIn } from './offered-tools.ts'

it('names the tools that the host runs', () => {
  const tools = [
    { type: 'function', name: 'memory', description: 'Remembers.', inputSchema: {} },
    { type: 'provider-defined', id: 'openai.search', name: 'search', args: {} },
    { type: 'function', name: 'lookup', inputSchema: {} },
  ]
  expect(functionsIn(tools)).toEqual([
    { name: 'memory', description: 'Remembers.' },
    { name: 'lookup', description: '' },
  ])
})

it.each([undefined, null, {}, 'memory', [7, null]])('finds none in %j', (tools) => {
  expect(functionsIn(tools)).toEqual([])
})
