/** What Hermes has to know about a coding agent: how it calls its hooks, how it writes its transcripts, and how it is asked one question without tools. */
import type { HostModel } from '@hermes/core'
import type { AgentTurns } from './transcript/agent-turn.ts'

export type HookKind = 'start' | 'stop' | 'end'

/** One call of a hook. */
export interface HookCall {
  readonly kind: HookKind
  readonly sessionId: string
  /** Undefined if the host has none. */
  readonly transcript: string | undefined
  /** The conversation, of a host that keeps it in no file: `at` of a row is its time in epoch milliseconds; null for a message that is too old to be looked at. */
  readonly rows: readonly unknown[] | undefined
  /** The folder in which the agent works. */
  readonly folder: string | undefined
  /** True if the conversation has nothing of before in it: it is no copy and does not go on. */
  readonly isNew: boolean
  /** Of an end: true if the person has left. A headless call ends too, and the next one goes on. */
  readonly isOver: boolean
  /** True if the conversation was shortened: the block has to be shown again, and may be a newer one. */
  readonly isShortened: boolean
}

export interface AgentHost {
  /** As in `hermes connect claude-code`. */
  readonly name: string
  /** As people know it. */
  readonly title: string
  /** Undefined if it is none that Hermes listens to. `event`: the name of the event, as the configuration of the hook has it. */
  readonly hookCall: (input: Readonly<Record<string, unknown>>, event: string) => HookCall | undefined
  /** What a start hook prints, so that the host shows the block to its model. */
  readonly showBlock: (block: string) => string
  /** Maximum code points of the block: above it, the host cuts. */
  readonly maxBlockChars: number
  /** True if a session that goes on still shows the block, and would show it twice. */
  readonly keepsBlock: boolean
  /** `isOurs`: whether context of a hook is the block that Hermes put there. */
  readonly turns: (rows: readonly unknown[], isOurs: (context: string) => boolean) => AgentTurns
  /** Whether the transcript tells of this call of a tool. */
  readonly holdsCall: (rows: readonly unknown[], callId: string) => boolean
  /** The id of the host's call of a tool, from what it sends along; undefined if it sends none. */
  readonly callId: (meta: Readonly<Record<string, unknown>>) => string | undefined
  /** The transcript of a session, for the tools, which are told its id and no path; undefined if there is none. */
  readonly findTranscript: (sessionId: string) => Promise<string | undefined>
  /** Sessions in the place of this one that were written to lately: the host may have begun another since it started the tools. The newest first. */
  readonly recentSessions: (sessionId: string) => Promise<readonly string[]>
  /** The session that has started this process, from its environment. */
  readonly sessionOf: (env: Readonly<Record<string, string | undefined>>) => string | undefined
  /** The host's own program, with the user's login: without tools, hooks and settings, and nothing is stored. Hooks do not need its code, so it is loaded with the first call. */
  readonly model: HostModel
}

/** Of a host that tells the server of the tools neither its session nor the call: what they are called with counts as from outside. */
export const TOOLS_WITHOUT_SESSION: Pick<AgentHost, 'holdsCall' | 'callId' | 'findTranscript' | 'recentSessions' | 'sessionOf'> = {
  holdsCall: () => false,
  callId: () => undefined,
  findTranscript: async () => undefined,
  recentSessions: async () => [],
  sessionOf: () => undefined,
}
