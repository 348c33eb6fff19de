/** The memory of everyone who uses this app: one storage, one home for each person. */
import { createHermesHomes, type HermesEvent } from '@hermes/core'
import { after } from 'next/server'
import { oncePerProcess } from './once-per-process.ts'
import { openStorage } from './storage.ts'

const logFailure = (event: HermesEvent): void => {
  if ('error' in event) console.error(`Hermes, ${event.type}: ${event.error.message}`)
}

export const homes = oncePerProcess('homes', () =>
  createHermesHomes({
    storage: openStorage(),
    // A platform that stops with the response lets the review behind the turn finish.
    background: (task) => after(() => task),
    // 10 is the default; 3 shows a review sooner.
    nudge: { memoryInterval: 3 },
    // Who approves, rejects and erases is a person at a page.
    actor: 'person',
    onEvent: logFailure,
  }),
)
