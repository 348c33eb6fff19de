import { providerConformance } from '@hermes/testing'
import { MemoryVectorStore } from '@langchain/classic/vectorstores/memory'
import type { Document } from '@langchain/core/documents'
import { expect, it } from 'vitest'
import { langChainVectorsProvider } from '../src/langchain-vectors.ts'
import { LOOSE, openHome, providerBehaviour, sync, turn } from './support/provider-behaviour.ts'
import { WordEmbeddings } from './support/word-embeddings.ts'

/** LangChain's store in memory cannot delete; those with a database behind them can, by id. */
class DeletingVectorStore extends MemoryVectorStore {
  override async addDocuments(documents: Document[]): Promise<void> {
    await this.delete({ ids: documents.map(({ id }) => String(id)) })
    return super.addDocuments(documents)
  }

  override async delete({ ids }: { readonly ids: readonly string[] }): Promise<void> {
    this.memoryVectors = this.memoryVectors.filter(({ id }) => !ids.includes(String(id)))
  }
}

const setUpWith =
  (create: () => MemoryVectorStore, options: { readonly minScore?: number; readonly maxForget?: number } = {}) =>
  async () => {
    const stores = new Map<string, MemoryVectorStore>()
    const open = (name: string): MemoryVectorStore => {
      const store = stores.get(name) ?? create()
      stores.set(name, store)
      return store
    }
    const count = async () => [...stores.values()].reduce((sum, { memoryVectors }) => sum + memoryVectors.length, 0)
    return { provider: langChainVectorsProvider({ open, ...options }), count }
  }

const deleting = () => new DeletingVectorStore(new WordEmbeddings())
const keeping = () => new MemoryVectorStore(new WordEmbeddings())
const setUp = setUpWith(keeping)

providerBehaviour('a vector store that deletes', setUpWith(deleting))
providerBehaviour('a vector store that cannot delete', setUp, { forgets: false })
providerConformance('a vector store that deletes', setUpWith(deleting, { minScore: LOOSE }))
providerConformance('a vector store that cannot delete', setUpWith(keeping, { minScore: LOOSE }), { forgets: false })

it('fails to forget where the store cannot delete, so that a receipt names the provider', async () => {
  const home = await openHome(await setUp(), 'homes/ada')
  await sync(home, turn('1', 'first', 'I keep bees'))
  await expect(home.forget({ kind: 'all', dryRun: false }, { signal: new AbortController().signal })).rejects.toThrow()
})

it('forgets nothing, visibly, if there are more turns than it can look at', async () => {
  const under = await setUpWith(deleting, { maxForget: 3 })()
  const home = await openHome(under, 'homes/ada')
  for (const id of ['1', '2', '3']) await sync(home, turn(id, 'first', `I keep ${id} bees`))
  await expect(home.forget({ kind: 'all', dryRun: false }, { signal: new AbortController().signal })).rejects.toThrow('Raise maxForget')
  expect(await under.count()).toBe(3)
})
