/** A home that holds a text in several places, and whether it still does. */

import { createHermes, inMemoryBackend } from '@hermes/core'
import { readDocument } from '@hermes/core/storage'
import { value } from './support.ts'

export const STREET = 'Lives at Calle Mayor 5'

export const setUpForgetting = async () => {
  const storage = inMemoryBackend()
  const hermes = createHermes({ storage, actor: 'person' })
  const store = hermes.memoryStore()
  value(await store.apply('user', { action: 'add', content: STREET }, { origin: 'user' }))
  value(await store.apply('user', { action: 'add', content: 'Likes tea' }, { origin: 'user' }))
  hermes.session('chat').recordTurn({ messages: [{ role: 'user', text: `${STREET}, by the way.` }] })
  await hermes.settled()
  const holdsStreet = async () => {
    const documents = value(await storage.list(''))
    const texts = await Promise.all(
      documents.map(async ({ path }) => new TextDecoder().decode(value(await readDocument(storage, path))?.bytes)),
    )
    return texts.some((text) => text.includes('Calle Mayor'))
  }
  return { hermes, holdsStreet }
}
