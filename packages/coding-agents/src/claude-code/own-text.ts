/** Which text of a message of the user, as Claude Code keeps it, a person wrote, and which Claude Code or an editor put into it. */
import { asRecord } from '@hermes/core/adapter'

type Row = Readonly<Record<string, unknown>>

const PERSONS: ReadonlySet<unknown> = new Set([undefined, 'human', 'person'])
/** `suggestion_accepted` is the model's text. */
const TYPED: ReadonlySet<unknown> = new Set([undefined, 'typed', 'queued', 'sdk'])
const OPENED_BY: ReadonlySet<unknown> = new Set([undefined, 'human', 'sdk'])
/** Of a prompt that waited in the queue: `bash` is a command for the shell. */
const MODES: ReadonlySet<unknown> = new Set([undefined, 'prompt'])
const NOT_TYPED = [
  ...['isMeta', 'isCompactSummary', 'isVisibleInTranscriptOnly', 'textNotTyped', 'fromConnector', 'handedOff', 'promptRewritten'],
  ...['wakeupSource', 'scheduledTaskId', 'outsideTextTurn', 'queueSkipAttachments', 'queueTranscriptOnly', 'fromAnotherSession'],
  // Of somebody in a chat, who need not be the user; and of a tool, as when the model itself calls a command or a skill.
  ...['verifiedSlackHumanTurn', 'toolUseResult', 'sourceToolUseID', 'sourceToolAssistantUUID'],
]

/** Whether a person sent this row, or prompt that waited in the queue. */
export const isTyped = (row: Row): boolean =>
  PERSONS.has(asRecord(row['origin'])['kind']) &&
  TYPED.has(row['promptSource']) &&
  OPENED_BY.has(row['turnOrigin']) &&
  MODES.has(row['commandMode']) &&
  row['rowSource'] !== 'harness' &&
  NOT_TYPED.every((flag) => row[flag] === undefined || row[flag] === false)

/** What Claude Code, and editors that run it, put texts into: what was pasted, reminders, selections in the editor, messages of other agents, output of commands. */
const TAGS = [
  ...[
    'pasted_content',
    'system[-_]reminder',
    'ide_[a-z_]+',
    'terminal',
    'browser(?:_instruction)?',
    'bash-[a-z-]+',
    'local-command-[a-z-]+',
    'command-[a-z]+',
  ],
  ...['task-notification', '[a-z-]+-message', '[a-z-]+-hook', 'channel', 'tick', 'remote-review(?:-progress)?', 'slack-ping'],
  ...['fetched-web-content', 'untrusted-[a-z-]+', 'coordinator-relay', 'function_results', 'tool_use_error', 'sandbox_violations'],
  ...['persisted-output', 'total_tokens', 'user-memory-input', 'mcp-[a-z-]+', 'new-diagnostics', 'fork-boilerplate', 'voice-call-talk'],
].join('|')
const OPEN_TAG = new RegExp(`<(?:${TAGS})(?=[\\s>/])`)
const CLOSE_TAG = new RegExp(`</(?:${TAGS})(?:\\s[^>]*)?>`, 'g')

const SENT_AT = /<system-reminder>Message sent at [^<\n]*<\/system-reminder>\s*$/
/** Before a slash command that was run. */
const CAVEAT = /^<local-command-caveat>[^<]*<\/local-command-caveat>$/
const INTERRUPTED = /^\[Request interrupted by user[^\]\n]*\]$/
const COMMAND =
  /^\s*(?:<command-(?:name|message)>[^<]*<\/command-(?:name|message)>\s*){1,2}(?:<command-args>([\s\S]*)<\/command-args>)?\s*$/

/** A row by which Claude Code says of the next ones what they are: nothing from outside. */
export const isCaveat = (text: string, row: Row): boolean => row['isMeta'] === true && row['rowSource'] === 'harness' && CAVEAT.test(text)

export interface SplitPrompt {
  /** `''` if there is none. */
  readonly own: string
  /** `''` if there is none. */
  readonly outside: string
}

/** From the first tag of the host to the last end of one: a text inside can close a tag, but not the last one, which is the host's. */
const splitTags = (text: string): SplitPrompt => {
  const first = OPEN_TAG.exec(text)?.index ?? -1
  if (first < 0) return { own: text.trim(), outside: '' }
  const last = [...text.matchAll(CLOSE_TAG)].at(-1)
  const end = last && last.index > first ? last.index + last[0].length : text.length
  return { own: `${text.slice(0, first)}${text.slice(end)}`.trim(), outside: text.slice(first, end) }
}

/** `claude -p` puts what it was piped behind the prompt, in a new line and without a mark. */
const splitPiped = ({ own, outside }: SplitPrompt): SplitPrompt => {
  const end = own.indexOf('\n')
  return end < 0 ? { own, outside } : { own: own.slice(0, end).trim(), outside: `${own.slice(end + 1)}\n${outside}`.trim() }
}

/**
 * Of a text part of a message that a person sent. The text of a slash command follows in a row of its own; the words behind its name are the user's. `row`: of the
 * transcript, which says how Claude Code was started.
 */
export const splitPrompt = (text: string, row: Row): SplitPrompt => {
  const sent = text.replace(SENT_AT, '').trim()
  if (INTERRUPTED.test(sent)) return { own: '', outside: '' }
  const command = COMMAND.exec(sent)
  const split = splitTags(command ? (command[1] ?? '') : sent)
  return row['entrypoint'] === 'sdk-cli' ? splitPiped(split) : split
}
