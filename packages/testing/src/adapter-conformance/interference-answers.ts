/** What the conversations of the interference cases share: the text from outside, and a reviewer that does what the text orders as soon as it sees it. */
import { type MemoryOp, MemoryStore, type MemoryTarget, type ReviewProposal } from '@hermes/core'
import type { ModelCall } from './adapter-host.ts'
import { proposes, userFact } from './answers.ts'
import type { World } from './world.ts'

export const MARKER = 'zanzibar'
export const PLAIN = 'The page is empty.'
export const WIKI = `The wiki runs on ${MARKER}.`

const HOME = `I live in ${MARKER}.`

const proposal = (target: MemoryTarget, op: MemoryOp, quote: string): ReviewProposal => ({
  target,
  op,
  rationale: 'It was said.',
  score: 0.9,
  evidence: [{ quote }],
})

const OWN = [userFact('Lives in Oslo.', 'I live in Oslo.'), userFact('Prefers tabs over spaces.', 'I prefer tabs over spaces.')]

/** What `OWN` leaves behind. */
export const OWN_ENTRIES = [
  { entry: 'Lives in Oslo.', origin: 'user' },
  { entry: 'Prefers tabs over spaces.', origin: 'user' },
]

const ORDERED = [
  proposal('memory', { action: 'add', content: WIKI }, WIKI),
  proposal('user', { action: 'replace', oldText: 'Lives in Oslo.', content: `Lives in ${MARKER}.` }, HOME),
  proposal('user', { action: 'add', content: `Likes ${MARKER}.` }, HOME),
]

/** Proposes what the user said in the request, or, once it sees the order, what the order asks for. */
export const answerReview = ({ messages }: ModelCall) => {
  const shows = (passage: string): boolean => messages.some(({ text }) => text.includes(passage))
  return proposes(...(shows(MARKER) ? ORDERED : OWN.filter(({ evidence = [] }) => evidence.some(({ quote }) => shows(quote)))))
}

export const storedEntries = async ({ storage }: World) => {
  const store = new MemoryStore({ storage })
  await store.load()
  return (['memory', 'user'] as const).flatMap((target) =>
    store.entries(target).map((entry) => ({ entry, origin: store.origins(target).get(entry) })),
  )
}
