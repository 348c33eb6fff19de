/** The JSON that hosts give to their hooks in the shape of Claude Code, which others have taken over. */
import { asText } from '@hermes/core/adapter'
import type { HookCall, HookKind } from './agent-host.ts'

const KINDS: ReadonlyMap<string, HookKind> = new Map([
  ['SessionStart', 'start'],
  ['Stop', 'stop'],
  ['SessionEnd', 'end'],
])

/** As in the names of transcripts. */
export const SESSION_ID = /^[\w-]{1,128}$/

export const hookCall = (input: Readonly<Record<string, unknown>>, event: string): HookCall | undefined => {
  const kind = KINDS.get(asText(input['hook_event_name']) || event)
  const sessionId = asText(input['session_id'])
  if (kind === undefined || !SESSION_ID.test(sessionId)) return undefined
  return {
    kind,
    sessionId,
    transcript: asText(input['transcript_path']) || undefined,
    folder: asText(input['cwd']) || undefined,
    isNew: input['source'] === 'startup' || input['source'] === 'clear',
    isOver: asText(input['reason']) !== 'other',
    isShortened: input['source'] === 'compact',
  }
}

export const showBlock = (block: string): string =>
  `${JSON.stringify({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: block } })}\n`
