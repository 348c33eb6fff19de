/** The memory of everybody who talks to this server. */
import { createHermesHomes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'

export const homes = createHermesHomes({ storage: fileSystemBackend('./memory') })
