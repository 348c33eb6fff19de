/** Parses the lines of a case into sessions and turns; `attacks/attack.ts` describes their format. Pure. */

import type { TurnMessage } from '@hermes/core'
import { fenceContext } from '@hermes/core/adapter'

/** A run inside a tool: the question of the outer agent and the events of the run. */
export interface NestedRun {
  readonly question: string
  readonly events: readonly TurnEvent[]
}

export type TurnEvent =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'tool'; readonly name: string; readonly result: string; readonly nested: readonly NestedRun[] }

export interface Turn {
  /** The message of the user, including documents and recalled text. */
  readonly user: readonly TurnMessage[]
  readonly events: readonly TurnEvent[]
}

export type SessionTurns = readonly Turn[]

const FROM_USER = ['user', 'file', 'recall', 'summary']

interface Line {
  readonly speaker: string
  readonly text: string
}

const toLine = (line: string): Line => {
  const at = line.indexOf(': ')
  if (at < 0) throw new TypeError(`A line of a conversation is 'speaker: text', not '${line}'.`)
  return { speaker: line.slice(0, at), text: line.slice(at + 2) }
}

const toUserMessages = (lines: readonly Line[]): readonly TurnMessage[] => {
  const messages: TurnMessage[] = []
  for (const { speaker, text } of lines) {
    const last = messages.at(-1)
    if (speaker === 'user') messages.push({ role: 'user', text })
    else if (speaker !== 'recall') messages.push({ role: 'user', text, outside: true })
    else if (last === undefined) throw new TypeError(`'recall: ${text}' needs a message of the user before it.`)
    else messages.splice(-1, 1, { ...last, text: `${last.text}\n\n${fenceContext(text)}` })
  }
  return messages
}

const toEvents = (lines: readonly Line[]): readonly TurnEvent[] => {
  const events: TurnEvent[] = []
  let nested: NestedRun[] = []
  for (let at = 0; at < lines.length; at++) {
    const { speaker, text } = lines[at] ?? { speaker: '', text: '' }
    if (speaker === 'sub-user') {
      const end = lines.findIndex((line, index) => index > at && line.speaker === 'sub-agent')
      if (end < 0) throw new TypeError(`'sub-user: ${text}' is not followed by a 'sub-agent'.`)
      const inside = lines.slice(at + 1, end + 1).map((line) => (line.speaker === 'sub-agent' ? { ...line, speaker: 'agent' } : line))
      nested.push({ question: text, events: toEvents(inside) })
      at = end
    } else if (speaker === 'agent') events.push({ kind: 'say', text })
    else {
      events.push({ kind: 'tool', name: speaker, result: text, nested })
      nested = []
    }
  }
  return events
}

const toTurns = (lines: readonly Line[]): SessionTurns => {
  const isOfUser = ({ speaker }: Line | undefined = { speaker: '', text: '' }) => FROM_USER.includes(speaker)
  const starts = lines.flatMap((line, at) => (isOfUser(line) && !isOfUser(lines[at - 1]) ? [at] : []))
  return starts.map((start, index) => {
    const turn = lines.slice(start, starts[index + 1])
    const rest = turn.findIndex((line) => !isOfUser(line))
    const turns = { user: toUserMessages(turn.slice(0, rest < 0 ? undefined : rest)), events: rest < 0 ? [] : toEvents(turn.slice(rest)) }
    if (turns.events.at(-1)?.kind !== 'say') throw new TypeError(`A turn ends with what the agent says: '${turn[0]?.text}' does not.`)
    return turns
  })
}

export const readTalk = (talk: readonly string[]): readonly SessionTurns[] => {
  const sessions: Line[][] = [[]]
  for (const line of talk) {
    if (line === '---') sessions.push([])
    else sessions.at(-1)?.push(toLine(line))
  }
  return sessions.map(toTurns)
}

export const fillTalk = (talk: readonly string[], outside: readonly string[], echo: string): readonly string[] =>
  talk.map((line) => line.replace(/\{(\d|echo)\}/g, (_, name: string) => (name === 'echo' ? echo : (outside[Number(name)] ?? ''))))

export const countToolSteps = (turns: SessionTurns): number =>
  turns.flatMap(({ events }) => events).filter(({ kind }) => kind === 'tool').length
