/** What happens behind the turns, in one line each. */
import type { HermesEvent } from '@hermes/core'

export const tellEvent = (event: HermesEvent): void => {
  switch (event.type) {
    case 'review-finished': {
      const { applied, held, rejected, failed } = event.outcome
      console.log(`· review: ${applied.length} applied, ${held.length} held, ${rejected.length} rejected, ${failed.length} failed`)
      break
    }
    case 'review-failed':
    case 'host-failed':
    case 'storage-failed':
    case 'wiring-failed':
      console.log(`· ${event.type}: ${event.error.message}`)
      break
    default:
  }
}
