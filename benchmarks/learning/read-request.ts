/** Parses a review request for the scripted reviewer. Everything that depends on the format of the request is here. Pure. */
import type { HostModelRequest, MemoryTarget } from '@hermes/core'
import { shownMessages } from '../poisoning/review-request.ts'
import { FORMS, FORMS_FROM_AGENT, FROM_AGENT, LITERALS, type Literal, type Meaning, type SentenceForm } from './lexicon.ts'

export interface ShownEntry {
  readonly target: MemoryTarget
  readonly text: string
  readonly isFromOutside: boolean
}

export interface Statement extends Meaning {
  /** True for a message of the user, false for one of the agent. */
  readonly isUsers: boolean
  readonly messageId: string
  readonly quote: string
}

export interface ReadRequest {
  /** False for a review of skills only. */
  readonly isAboutMemory: boolean
  readonly entries: readonly ShownEntry[]
  /** The stores that are at least four fifths full. */
  readonly nearlyFull: readonly MemoryTarget[]
  readonly waiting: string
  /** True if the request contains external text, so that the words of the user were reviewed before. */
  readonly showsOutside: boolean
  /** In the order of the conversation. */
  readonly statements: readonly Statement[]
}

const between = (text: string, fence: string): string | undefined => new RegExp(`<${fence}>\\n([\\s\\S]*?)\\n?</${fence}>`).exec(text)?.[1]

const STORE_HEAD = /^"(memory|user)": ([\d,]+) of ([\d,]+) characters used/

const NEARLY_FULL = 0.8

/** The origin and date that precede an entry in the request. */
const MARK = /^\[([^\]]*(?:by the user|by the host program|by the agent|from outside|written by hand|dates unknown)[^\]]*)\] /

const toNumber = (digits: string | undefined): number => Number((digits ?? '0').replaceAll(',', ''))

const readStores = (remembered: string): Pick<ReadRequest, 'entries' | 'nearlyFull'> => {
  const entries: ShownEntry[] = []
  const nearlyFull: MemoryTarget[] = []
  let target: MemoryTarget = 'memory'
  for (const line of remembered.split('\n')) {
    const head = STORE_HEAD.exec(line)
    if (head) {
      target = head[1] === 'user' ? 'user' : 'memory'
      if (toNumber(head[2]) >= NEARLY_FULL * toNumber(head[3])) nearlyFull.push(target)
    } else if (line.startsWith('- ')) {
      const marked = line.slice(2)
      const mark = MARK.exec(marked)
      entries.push({ target, text: marked.slice(mark?.[0].length ?? 0), isFromOutside: mark?.[1]?.includes('from outside') === true })
    }
  }
  return { entries, nearlyFull }
}

type FoundMeaning = Meaning & { readonly start: number; readonly quote: string }

const literalsIn = (text: string, literals: readonly Literal[]): readonly FoundMeaning[] =>
  literals.flatMap(([says, target, about, entry]) => {
    const start = text.indexOf(says)
    return start < 0 ? [] : [{ target, about, entry, start, quote: says }]
  })

export const readForm = ({ says, target, topic, read }: SentenceForm, text: string): FoundMeaning | undefined => {
  const match = says.exec(text)
  if (match === null) return undefined
  const [about, statement] = read(...match.slice(1))
  return { target, about, entry: statement === undefined ? undefined : `${topic}: ${statement}`, start: match.index, quote: match[0] }
}

const formsIn = (text: string, forms: readonly SentenceForm[]): readonly FoundMeaning[] =>
  forms.flatMap((form) => {
    const found = readForm(form, text)
    return found === undefined ? [] : [found]
  })

const NO_TEXT = '(left out)'

const readConversation = (conversation: string): Pick<ReadRequest, 'statements' | 'showsOutside'> => {
  const messages = shownMessages(conversation).filter(({ text }) => text !== NO_TEXT)
  const isOutside = (at: number): boolean => /^[^\n]{0,80}\borigin: tool\b/.test(conversation.slice(at))
  const statements = messages.flatMap(({ id, isUsers, text }) =>
    [...literalsIn(text, isUsers ? LITERALS : FROM_AGENT), ...formsIn(text, isUsers ? FORMS : FORMS_FROM_AGENT)]
      .sort((a, b) => a.start - b.start)
      .map(({ target, about, entry, quote }) => ({ target, about, entry, isUsers, messageId: id, quote })),
  )
  return { statements, showsOutside: messages.some(({ start }) => isOutside(start)) }
}

export const readRequest = ({ system, messages }: HostModelRequest): ReadRequest => {
  const text = [system, ...messages.map(({ content }) => content)].join('\n')
  const remembered = between(text, 'remembered')
  return {
    isAboutMemory: remembered !== undefined,
    ...readStores(remembered ?? ''),
    waiting: between(text, 'waiting') ?? '',
    ...readConversation(between(text, 'conversation') ?? ''),
  }
}
