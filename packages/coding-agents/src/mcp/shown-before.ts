/** What the model was shown before it called a tool, from the transcript of its session. What the transcript does not tell is from outside. */
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock, type TurnMessage } from '@hermes/core'
import { toJson } from '@hermes/core/adapter'
import type { AgentHost } from '../agent-host.ts'
import type { Bookmark } from '../hook/bookmark.ts'
import { readNewTurns } from '../hook/new-turns.ts'
import { UNREAD } from '../transcript/agent-turn.ts'

export interface ToolCall {
  readonly input: unknown
  /** The host's id of the call; undefined if it sends none. */
  readonly id: string | undefined
}

/** The host's session that called. */
export interface AgentSession {
  readonly id: string
  readonly bookmark: Bookmark | undefined
  readonly block: string
}

/** Milliseconds until a host has written what came before a call. */
const WRITTEN_WITHIN_MS = 4_000
const LOOK_EVERY_MS = 50

/** A call whose conversation nobody tells: what it brings may come from anywhere. */
export const fromAnywhere = ({ input }: ToolCall): readonly TurnMessage[] => [{ role: 'tool', text: toJson(input), toolNames: ['unknown'] }]

const readShown = async (host: AgentHost, session: AgentSession, call: ToolCall): Promise<readonly TurnMessage[] | undefined> => {
  const transcript = await host.findTranscript(session.id)
  if (transcript === undefined) return undefined
  const { turns, before, rows } = await readNewTurns(host, transcript, session.bookmark, session.block)
  // Hosts write behind the conversation: what the call follows may be missing.
  if (call.id !== undefined && !host.holdsCall(rows, call.id)) return undefined
  const messages = turns.flatMap((turn) => turn.messages)
  const isKnown = call.id !== undefined && messages.length > 0
  return [...before, ...(isKnown ? [] : [UNREAD]), ...messages]
}

export const shownBefore = async (host: AgentHost, session: AgentSession, call: ToolCall): Promise<readonly TurnMessage[]> => {
  const until = systemClock() + WRITTEN_WITHIN_MS
  do {
    const shown = await readShown(host, session, call).catch(() => undefined)
    if (shown) return shown
    await pause(LOOK_EVERY_MS)
  } while (systemClock() < until)
  return fromAnywhere(call)
}
