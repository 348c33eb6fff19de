/** What the model was shown before it called a tool, from the transcript of its session. What the transcript does not tell is from outside. */
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock, type TurnMessage } from '@hermes/core'
import { toJson } from '@hermes/core/adapter'
import type { AgentHost } from '../agent-host.ts'
import { readBookmark } from '../hook/bookmark.ts'
import { type NewTurns, readNewTurns } from '../hook/new-turns.ts'
import { sessionName } from '../open-home.ts'
import { UNREAD } from '../transcript/agent-turn.ts'

export interface ToolCall {
  readonly input: unknown
  /** The host's id of the call; undefined if it sends none. */
  readonly id: string | undefined
}

/** Milliseconds until a host has written what came before a call. */
const WRITTEN_WITHIN_MS = 4_000
const LOOK_EVERY_MS = 50

/** A call whose conversation nobody tells: what it brings may come from anywhere. */
export const fromAnywhere = ({ input }: ToolCall): readonly TurnMessage[] => [{ role: 'tool', text: toJson(input), toolNames: ['unknown'] }]

/** Of a transcript that holds the call. */
export const shownIn = ({ before, turns }: NewTurns): readonly TurnMessage[] => {
  const messages = turns.flatMap((turn) => turn.messages)
  return [...before, ...(messages.length > 0 ? [] : [UNREAD]), ...messages]
}

const readShown = async (host: AgentHost, sessionId: string, call: ToolCall): Promise<readonly TurnMessage[] | undefined> => {
  const transcript = await host.findTranscript(sessionId)
  if (transcript === undefined) return undefined
  const bookmark = await readBookmark(sessionName(host, sessionId))
  const found = await readNewTurns(host, transcript, bookmark)
  // Hosts write behind the conversation: what the call follows may be missing.
  if (call.id !== undefined && !host.holdsCall(found.rows, call.id)) return undefined
  return call.id === undefined ? [UNREAD, ...shownIn(found)] : shownIn(found)
}

export const shownBefore = async (host: AgentHost, sessionId: string, call: ToolCall): Promise<readonly TurnMessage[]> => {
  const until = systemClock() + WRITTEN_WITHIN_MS
  do {
    const shown = await readShown(host, sessionId, call).catch(() => undefined)
    if (shown) return shown
    await pause(LOOK_EVERY_MS)
  } while (systemClock() < until)
  return fromAnywhere(call)
}
