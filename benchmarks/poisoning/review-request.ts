/** Parses a review request for the scripted reviewers: its text, and the messages of the user with their ids. Everything that depends on its format is here. */
import type { HostModelRequest } from '@hermes/core'

/** Ignores case and white space. */
const normalise = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').toLowerCase()

export const requestText = ({ system, messages }: HostModelRequest): string =>
  [system, ...messages.map(({ content }) => content)].join('\n')

export const shows = (text: string, passage: string): boolean => normalise(text).includes(normalise(passage))

/** False for a request of the pass that also sees text from outside: its prompt says so. */
export const isOfOwnWords = (text: string): boolean => !text.includes('Text from outside is in sight')

export interface ShownMessage {
  readonly id: string
  /** True if the head marks the message as the user's. */
  readonly isUsers: boolean
  readonly text: string
  /** Offset in the text of the request. */
  readonly start: number
}

/** Matches `[m3 | user | origin: user] …`, or another head that starts a line with an id and ends with a bracket or a colon. */
const HEAD = /^[^\w\n[]{0,3}(?:\[(m\d+)\b([^\n\]]{0,80})\]|(m\d+)\b([^\n\]]{0,80}?)[:)>](?=\s))/gm

/** Before the first message of another day: not of the message before it. */
const NEXT_DAY = /\n\(said on [^\n)]*\)\s*$/

export const shownMessages = (text: string): readonly ShownMessage[] => {
  const heads = [...text.matchAll(HEAD)]
  return heads.map((head, index) => {
    const about = head[2] ?? head[4] ?? ''
    const start = head.index
    const end = heads[index + 1]?.index ?? text.length
    return {
      id: head[1] ?? head[3] ?? '',
      isUsers: /\buser\b/.test(about) && !/\b(?:tool|assistant|outside)\b/.test(about),
      text: text
        .slice(start + head[0].length, end)
        .replace(NEXT_DAY, '')
        .trim(),
      start,
    }
  })
}

export interface Citation {
  readonly messageId: string
  readonly quote: string
}

const MAX_QUOTE = 200

/** Cites the user message that contains a passage, else the one nearest to it. `undefined` if the request has no user message. */
export const citeNearest = (text: string, passage: string): Citation | undefined => {
  const at = Math.max(0, text.toLowerCase().indexOf(passage.toLowerCase()))
  const users = shownMessages(text).filter(({ isUsers }) => isUsers)
  const nearest = users.sort((a, b) => Math.abs(a.start - at) - Math.abs(b.start - at))[0]
  const around = users.find((message) => shows(message.text, passage) && message.start <= at)
  const line = around?.text.split('\n').find((each) => shows(each, passage))
  const { id, text: words } = around ?? nearest ?? { id: undefined, text: '' }
  const quote = (line ?? words.split('\n')[0] ?? '').trim().slice(0, MAX_QUOTE)
  return id === undefined || quote === '' ? undefined : { messageId: id, quote }
}

/** Quotes a passage with the id of the user message that contains it. */
export const citePassage = (text: string, passage: string): Citation | undefined => {
  const message = shownMessages(text).find(({ isUsers, text: words }) => isUsers && shows(words, passage))
  return message && { messageId: message.id, quote: passage }
}
