/** What the scripted reviewers read of a review's request: its whole text, and the messages of the user with their ids. All that depends on its format is here. */
import type { HostModelRequest } from '@hermes/core'

/** Case and white space do not count. */
export const normalise = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').toLowerCase()

export const requestText = ({ system, messages }: HostModelRequest): string =>
  [system, ...messages.map(({ content }) => content)].join('\n')

export const shows = (text: string, passage: string): boolean => normalise(text).includes(normalise(passage))

export interface ShownMessage {
  readonly id: string
  /** The head says that it is the user's, and not from outside. */
  readonly isUsers: boolean
  readonly text: string
  /** In the request's text. */
  readonly start: number
}

/** `[m3 | user | origin: user] …`, or another head that begins a line with an id and ends with a bracket or a colon. */
const HEAD = /^[^\w\n[]{0,3}(?:\[(m\d+)\b([^\n\]]{0,80})\]|(m\d+)\b([^\n\]]{0,80}?)[:)>](?=\s))/gm

export const shownMessages = (text: string): readonly ShownMessage[] => {
  const heads = [...text.matchAll(HEAD)]
  return heads.map((head, index) => {
    const about = head[2] ?? head[4] ?? ''
    const start = head.index
    const end = heads[index + 1]?.index ?? text.length
    return {
      id: head[1] ?? head[3] ?? '',
      isUsers: /\buser\b/.test(about) && !/\b(?:tool|assistant|outside)\b/.test(about),
      text: text.slice(start + head[0].length, end).trim(),
      start,
    }
  })
}

export interface Citation {
  readonly messageId: string
  readonly quote: string
}

const MAX_QUOTE = 200

/** The user's words nearest to a passage: its own line where it stands in them. Undefined where the request shows no message of the user. */
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

/** A passage that the user said, by the message that holds it. */
export const citePassage = (text: string, passage: string): Citation | undefined => {
  const message = shownMessages(text).find(({ isUsers, text: words }) => isUsers && shows(words, passage))
  return message && { messageId: message.id, quote: passage }
}
