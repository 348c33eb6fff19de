/** The JSON that hosts give to their hooks in the shape of Claude Code, which others have taken over. */
import { asText } from '@hermes/core/adapter'
import type { AgentHost, HookCall, HookKind } from './agent-host.ts'

/** Of a start. */
const NEW: ReadonlySet<unknown> = new Set(['startup', 'clear', 'new'])
/** Of an end: what is said of a headless call. */
const GOES_ON: ReadonlySet<unknown> = new Set(['other', 'complete'])

/** As in the names of transcripts. */
export const SESSION_ID = /^[\w-]{1,128}$/

/** `kinds`: by the host's names of its events. */
export const hookCallOf =
  (kinds: Readonly<Record<string, HookKind>>): AgentHost['hookCall'] =>
  (input, event): HookCall | undefined => {
    const kind = new Map(Object.entries(kinds)).get(asText(input['hook_event_name']) || event)
    const sessionId = asText(input['session_id'])
    if (kind === undefined || !SESSION_ID.test(sessionId)) return undefined
    return {
      kind,
      sessionId,
      transcript: asText(input['transcript_path']) || undefined,
      rows: Array.isArray(input['rows']) ? input['rows'] : undefined,
      folder: asText(input['cwd']) || undefined,
      isNew: NEW.has(input['source']),
      isOver: !GOES_ON.has(input['reason']),
      isShortened: input['source'] === 'compact',
    }
  }

export const hookCall = hookCallOf({ SessionStart: 'start', Stop: 'stop', SessionEnd: 'end' })

/** `event`: the host's name of it. */
export const showBlockAt =
  (event: string): AgentHost['showBlock'] =>
  (block) =>
    `${JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: block } })}\n`

export const showBlock = showBlockAt('SessionStart')
