import { inMemoryBackend } from '@hermes/core'
import { talk } from './conversation.mjs'

const storage = inMemoryBackend()

// biome-ignore lint/style/noDefaultExport: workerd asks for one.
export default {
  fetch: async (request) => {
    const [id, prompt] = await request.json()
    return Response.json(await talk(storage, id, prompt))
  },
}
