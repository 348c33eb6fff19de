/** Stands for a server's own homes. */
import { createHermesHomes, inMemoryBackend } from '@hermes/core'

export const homes = createHermesHomes({ storage: inMemoryBackend() })
