/** What the model was shown before it called a tool, from the transcript of its session. What the transcript does not tell is from outside. */
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock, type TurnMessage } from '@hermes/core'
import { toJson } from '@hermes/core/adapter'
import type { AgentHost } from '../agent-host.ts'
import { type Bookmark, readBookmark } from '../hook/bookmark.ts'
import { type NewTurns, readNewTurns } from '../hook/new-turns.ts'
import { sessionName } from '../open-home.ts'
import { UNREAD } from '../transcript/agent-turn.ts'
import { readRows } from '../transcript/read-rows.ts'

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

/** The host's session that called. */
export interface CallingSession {
  readonly id: string
  readonly bookmark: Bookmark | undefined
  readonly transcript: string
}

const lookIn = async (host: AgentHost, id: string, callId: string): Promise<CallingSession | undefined> => {
  const transcript = await host.findTranscript(id)
  if (transcript === undefined) return undefined
  const bookmark = await readBookmark(sessionName(host, id))
  const { rows } = await readRows(transcript, bookmark?.end)
  return host.holdsCall(rows, callId) ? { id, bookmark, transcript } : undefined
}

/** The session whose transcript holds the call, once it is written: hosts write behind the conversation. `sessionId`: the one that has started the tools. */
export const findCaller = async (host: AgentHost, sessionId: string, { id: callId }: ToolCall): Promise<CallingSession | undefined> => {
  if (callId === undefined) return undefined
  const until = systemClock() + WRITTEN_WITHIN_MS
  do {
    for (const id of [sessionId, ...(await host.recentSessions(sessionId))]) {
      const caller = await lookIn(host, id, callId).catch(() => undefined)
      if (caller) return caller
    }
    await pause(LOOK_EVERY_MS)
  } while (systemClock() < until)
  return undefined
}

/** `block`: that of the session, which is ours. */
export const shownBefore = async (
  host: AgentHost,
  { transcript, bookmark }: CallingSession,
  block: string,
): Promise<readonly TurnMessage[]> => shownIn(await readNewTurns(host, transcript, bookmark, block))
