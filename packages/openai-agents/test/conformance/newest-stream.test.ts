/** The adapter conformance suite in full for streams with the newest release of the SDK. */
import { adapterConformance } from '@hermes/testing'
import { createHostFor } from '../support/hosts.ts'
import { NEWEST } from '../support/releases.ts'

adapterConformance(`${NEWEST.name}, getStreamedResponse`, createHostFor(NEWEST, 'getStreamedResponse'))
