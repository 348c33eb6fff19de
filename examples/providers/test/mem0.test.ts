import { MemoryClient } from 'mem0ai'
import { expect, it } from 'vitest'
import { mem0Provider } from '../src/mem0.ts'
import { startMem0 } from './support/mem0-service.ts'
import { openHome, providerBehaviour, recall, sync, turn } from './support/provider-behaviour.ts'

const setUp = async () => {
  const service = await startMem0()
  const client = new MemoryClient({ apiKey: 'key', host: service.url })
  return { provider: mem0Provider({ client }), count: () => service.facts.length }
}

providerBehaviour("mem0's service", setUp)

it('rejects with what the service says', async () => {
  const service = await startMem0()
  const home = await openHome(
    { provider: mem0Provider({ client: new MemoryClient({ apiKey: 'key', host: `${service.url}/gone` }) }), count: () => 0 },
    '',
  )
  await expect(sync(home, turn('1', 'first', 'I keep bees'))).rejects.toThrow(/not found/)
  await expect(recall(home, 'bees')).rejects.toThrow(/not found/)
})
