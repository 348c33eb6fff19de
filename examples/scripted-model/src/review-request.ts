/** Reads a review request: what was said, with message ids, what was worked out, and what is known already. */

export interface SaidMessage {
  /** Undefined if the request carries no ids: then the conversation comes before it. */
  readonly id: string | undefined
  readonly text: string
}

export interface SkillLibrary {
  /** All of them, by name. */
  readonly listed: readonly { readonly name: string; readonly description: string }[]
  /** Those that may be changed: the whole SKILL.md by name. */
  readonly full: ReadonlyMap<string, string>
}

export interface ReviewRequest {
  /** The person's messages, oldest first. */
  readonly said: readonly SaidMessage[]
  /** Everything that came from outside, in whatever role, oldest first. */
  readonly outside: readonly SaidMessage[]
  /** What the calculate tool worked out. */
  readonly sums: readonly string[]
  /** Undefined if memory is not asked about. */
  readonly remembered: readonly string[] | undefined
  /** Undefined if skills are not asked about. */
  readonly library: SkillLibrary | undefined
}

const fenced = (name: string, text: string): string | undefined => new RegExp(`<${name}>\\n([\\s\\S]*?)\\n</${name}>`).exec(text)?.[1]

/** Further lines of a message or an entry are indented; `start` begins the next one. */
const blocks = (text: string, start: RegExp): readonly string[] => text.split(new RegExp(`\\n(?=${start.source})`))

const MESSAGE = /\[(m\d+) \| (user|assistant|tool) \| origin: (user|assistant|tool)\] /

interface Heard extends SaidMessage {
  readonly role: string
  readonly origin: string
}

const heardIn = (conversation: string): readonly Heard[] =>
  blocks(conversation, MESSAGE).flatMap((block) => {
    const [head, id, role = '', origin = ''] = MESSAGE.exec(block) ?? []
    return head === undefined || !block.startsWith(head) ? [] : [{ id, role, origin, text: block.slice(head.length) }]
  })

/** Of trusted tools only: what others answer is somebody else's text. */
const sumsIn = (heard: readonly Heard[]): readonly string[] =>
  heard
    .filter(({ role, origin }) => role === 'tool' && origin === 'assistant')
    .flatMap(({ text }) => /"expression":"([^"]+)".*"result":/.exec(text)?.[1] ?? [])

const rememberedIn = (text: string): readonly string[] =>
  blocks(text, /- |"\w+": /)
    .filter((block) => block.startsWith('- '))
    .map((block) => block.slice(2).trim())

/** `- yours | money/split-bills | Split a bill …`. */
const LISTED = /^- [^|]+ \| (?:\S+\/)?(\S+) \| (.*)$/
/** `split-bills (no support files):`, then its text. */
const FULL = /^(\S+) \([^\n]*\):\n<skill-file>\n([\s\S]*?)\n<\/skill-file>/gm

const libraryIn = (request: string): SkillLibrary | undefined => {
  const list = fenced('skill-library', request)
  if (list === undefined) return undefined
  return {
    listed: list.split('\n').flatMap((line) => {
      const [, name, description = ''] = LISTED.exec(line) ?? []
      return name === undefined ? [] : [{ name, description }]
    }),
    full: new Map([...request.matchAll(FULL)].map(([, name = '', content = '']) => [name, content])),
  }
}

const isRequest = (text: string): boolean => fenced('remembered', text) !== undefined || fenced('skill-library', text) !== undefined

/** `userTexts`: the user messages of the prompt, the last of which asks for the review. */
export const readReviewRequest = (userTexts: readonly string[]): ReviewRequest => {
  const request = userTexts.find(isRequest) ?? ''
  const conversation = fenced('conversation', request)
  const heard = conversation === undefined ? [] : heardIn(conversation)
  const before = userTexts.slice(0, Math.max(0, userTexts.indexOf(request)))
  const remembered = fenced('remembered', request)
  return {
    said: conversation === undefined ? before.map((text) => ({ id: undefined, text })) : heard.filter(({ origin }) => origin === 'user'),
    outside: heard.filter(({ origin }) => origin === 'tool'),
    sums: sumsIn(heard),
    remembered: remembered === undefined ? undefined : rememberedIn(remembered),
    library: libraryIn(request),
  }
}
