/** What the model says as the Observer of Mastra, in the form that its instructions ask for: short messages word for word, long ones by their beginning. */

/** Longer messages are noted by so many characters, so that a conversation here becomes a sixth of its length. Mastra names a fifth to a fortieth. */
const SHORT = 420
const BEGINNING = 60

interface Message {
  readonly content?: string | readonly { readonly text?: string }[]
}

const textOf = ({ content = '' }: Message): string =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n')

/** `User (9:50 PM): Hello` or `Tool Result fetch: found`. */
const SPEAKER = /^(User|Assistant|Tool Result)\b[^:\n]*?(?: \(\d+:\d+ [AP]M\))?: /gm

const note = (speaker: string, said: string): string => {
  const words = said.replaceAll(/\s+/g, ' ').trim()
  if (words.length > SHORT) return `* 🟢 ${speaker} began: ${words.slice(0, BEGINNING)}`
  if (speaker === 'Tool Result') return `* 🟡 Agent called a tool, and learned: ${words}`
  return `* 🔴 ${speaker} stated: ${words}`
}

/** The messages that are new to the Observer, one note for each. */
const observe = (prompt: string): readonly string[] => {
  const history = prompt.slice(prompt.lastIndexOf('## New Message History to Observe'))
  const starts = [...history.matchAll(SPEAKER)]
  return starts.map((start, at) => {
    const said = history.slice(start.index + start[0].length, starts[at + 1]?.index)
    return note(start[1] ?? '', said)
  })
}

export interface Prompt {
  readonly messages?: readonly Message[]
}

export const isObserver = ({ model }: { readonly model?: string }): boolean => model === 'observer'

export const observations = ({ messages = [] }: Prompt): string =>
  `<observations>\nDate: Nov 28, 2026\n${observe(textOf(messages.at(-1) ?? {})).join('\n')}\n</observations>`
