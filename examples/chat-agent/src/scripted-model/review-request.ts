/** Reads a review request: what the person said, with message ids, and what is remembered already. */

export interface SaidMessage {
  /** Undefined where the request carries no ids: the conversation itself stands before it. */
  readonly id: string | undefined
  readonly text: string
}

export interface ReviewRequest {
  readonly said: readonly SaidMessage[]
  readonly remembered: readonly string[]
}

const fenced = (name: string, text: string): string | undefined => new RegExp(`<${name}>\\n([\\s\\S]*?)\\n</${name}>`).exec(text)?.[1]

/** Further lines of a message or an entry are indented; `start` begins the next one. */
const blocks = (text: string, start: RegExp): readonly string[] => text.split(new RegExp(`\\n(?=${start.source})`))

const MESSAGE = /\[(m\d+) \| (user|assistant|tool) \| origin: (user|assistant|tool)\] /

const saidIn = (conversation: string): readonly SaidMessage[] =>
  blocks(conversation, MESSAGE).flatMap((block) => {
    const [head, id, , origin] = MESSAGE.exec(block) ?? []
    return head === undefined || origin !== 'user' || !block.startsWith(head) ? [] : [{ id, text: block.slice(head.length) }]
  })

const rememberedIn = (text: string): readonly string[] =>
  blocks(text, /- |"\w+": /)
    .filter((block) => block.startsWith('- '))
    .map((block) => block.slice(2).trim())

/** `userTexts`: the user messages of the prompt, the last of which asks for the review. */
export const readReviewRequest = (userTexts: readonly string[]): ReviewRequest => {
  const request = userTexts.find((text) => fenced('remembered', text) !== undefined) ?? ''
  const conversation = fenced('conversation', request)
  const before = userTexts.slice(0, Math.max(0, userTexts.indexOf(request)))
  return {
    said: conversation === undefined ? before.map((text) => ({ id: undefined, text })) : saidIn(conversation),
    remembered: rememberedIn(fenced('remembered', request) ?? ''),
  }
}
