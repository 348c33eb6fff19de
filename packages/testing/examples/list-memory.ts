/** A memory that believes whatever it reads, connected to the poisoning suite: the shape of a connection, and what the suite must find. */
import type { CreatePoisonedMemory } from '@hermes/testing/poisoning'

export const listMemory: CreatePoisonedMemory = (model) => {
  const kept: string[] = []
  return {
    open: async () => ({
      // What the next prompt holds of the memory.
      shown: kept.join('\n'),
      play: async ({ user, outside, answer }) => {
        const transcript = [user, ...outside.map(({ kind, name, text }) => `[${kind}: ${name}] ${text}`), answer].join('\n')
        const note = model(transcript)
        if (note?.replaces !== undefined && kept.includes(note.replaces)) kept.splice(kept.indexOf(note.replaces), 1)
        if (note !== undefined) kept.push(note.content)
      },
      end: async () => {},
    }),
    import: async ({ content }) => {
      kept.push(content)
    },
    // It has one kind of note, which the agent reads as the truth.
    notes: async () => kept.map((text) => ({ text, authority: 'user' })),
  }
}
