import { expect, it } from 'vitest'
import type { HomeProvider } from '../../src/provider/memory-provider.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument, updateDocument } from '../../src/storage/one-document.ts'
import { openHome } from '../session/open-home.ts'
import { recordingProvider } from './recording-provider.ts'

const PATH = 'notes/index.db'

/** A home with a file of the provider `notes` that holds the text. */
const open = async (hooks: HomeProvider) => {
  const storage = inMemoryBackend()
  await updateDocument(storage, PATH, () => new TextEncoder().encode('\0 the door code is 4711-zebra \0'))
  await updateDocument(storage, 'other/file.bin', () => new TextEncoder().encode('nothing'))
  return { storage, ...openHome(storage, { memory: { provider: recordingProvider(hooks) } }) }
}

it('leaves the folder of the name of a provider to the provider, in a preview and in the erasure', async () => {
  const { hermes, storage } = await open({ forget: async () => 3 })
  for (const dryRun of [true, false]) {
    const receipt = await hermes.forget('4711-zebra', { dryRun })
    expect(receipt).toMatchObject({ ok: true, value: { erased: { providerItems: 3, otherDocuments: 0 }, remaining: [] } })
  }
  expect(await readDocument(storage, PATH)).toMatchObject({ ok: true, value: { bytes: expect.anything() } })
})

it('names its files too if the provider cannot erase', async () => {
  const { hermes } = await open({ forget: () => Promise.reject(new Error('locked')) })
  const receipt = await hermes.forget('4711-zebra')
  expect(receipt.ok && receipt.value.remaining.map(({ path }) => path).sort()).toEqual([PATH, 'provider:notes'])
})
