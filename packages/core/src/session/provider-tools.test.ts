import { expect, it } from 'vitest'
import { providerTools } from './session-tools.ts'

const search = { name: 'past_search', description: 'Searches.', inputSchema: { type: 'object', properties: { q: { type: 'string' } } } }

it('offers the tools of a provider as they are, called for one session', async () => {
  const calls: unknown[] = []
  const callTool = async (...call: readonly unknown[]) => {
    calls.push(call)
    return { found: 1 }
  }
  const [tool, ...others] = providerTools({ tools: [search], callTool }, 'one')
  expect(others).toEqual([])
  expect(tool).toMatchObject({ name: 'past_search', description: 'Searches.', jsonSchema: search.inputSchema })
  expect(await tool?.execute({ q: 'tea', more: 1 })).toEqual({ found: 1 })
  expect(calls).toEqual([['past_search', { q: 'tea', more: 1 }, 'one']])
})

it('answers with a failure for input that is no object', async () => {
  const callTool = async () => ({ found: 1 })
  const [tool] = providerTools({ tools: [search], callTool }, 'one')
  expect(await tool?.execute('tea')).toEqual({ success: false, error: expect.stringContaining('does not fit the tool') })
})
