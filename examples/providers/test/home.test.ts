/** A home with a provider of this folder: what was said in one session is shown to the model in another, and forgotten with the rest. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHermesHomes, inMemoryBackend } from '@hermes/core'
import { beginModelCall } from '@hermes/core/adapter'
import { InMemoryStore } from '@langchain/langgraph'
import { expect, it } from 'vitest'
import { langGraphStoreProvider } from '../src/langgraph-store.ts'
import { DIMENSIONS, WordEmbeddings } from './support/word-embeddings.ts'

it('recalls over a LangGraph store, for each owner alone, and forgets', async () => {
  const store = new InMemoryStore({ index: { dims: DIMENSIONS, embeddings: new WordEmbeddings(), fields: ['text'] } })
  const homes = createHermesHomes({ storage: inMemoryBackend(), memory: { provider: langGraphStoreProvider({ store }) } })

  const say = async (user: string, sessionId: string, text: string): Promise<string> => {
    const session = homes.for(user).session(sessionId)
    const { recalled, end } = await beginModelCall({ session, offering: [] }, { prompt: [{ role: 'user', text }] })
    end({ calledTools: false, turnFinished: true, reply: [{ role: 'assistant', text: 'I see.' }] })
    await homes.for(user).settled()
    return recalled.map((each) => each.text).join('\n')
  }

  await say('ada', 'first', 'My piano teacher is called Ingrid.')
  expect(await say('ada', 'second', 'What is my piano teacher called?')).toMatch(/<memory-context>.*called Ingrid.*<\/memory-context>/s)
  expect(await say('bob', 'second', 'What is my piano teacher called?')).toBe('')
  expect(await homes.for('ada').forget('Ingrid')).toMatchObject({ ok: true, value: { erased: { providerItems: 1 }, remaining: [] } })
  expect(await say('ada', 'third', 'What is my piano teacher called?')).not.toContain('Ingrid')
  await homes.close()
})

it('takes at most 100 lines for each provider', () => {
  const folder = join(import.meta.dirname, '../src')
  for (const file of readdirSync(folder))
    expect([file, readFileSync(join(folder, file), 'utf8').split('\n').length <= 101]).toEqual([file, true])
})
