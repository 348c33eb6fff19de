/** The adapter conformance suite for both entry points with the oldest supported release of the SDK, which repeats no failed call. Node 20 runs it too. */
import { adapterConformance } from '@hermes/testing'
import { SECOND_EXTENT } from '../../../../scripts/support/rounds.ts'
import { createHostFor } from '../support/hosts.ts'
import { OLDEST } from '../support/releases.ts'

const capabilities = { retries: false, extent: SECOND_EXTENT } as const

adapterConformance(`${OLDEST.name}, getResponse`, createHostFor(OLDEST, 'getResponse'), { ...capabilities, streaming: false })
adapterConformance(`${OLDEST.name}, getStreamedResponse`, createHostFor(OLDEST, 'getStreamedResponse'), capabilities)
