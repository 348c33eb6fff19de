/** Stamps ids and origins on a conversation: the platform says whose words they are, never the model (DESIGN 5). Pure. */
import type { Origin } from '../shared/origin.ts'
import { splitRecalled } from './recall-fence.ts'
import type { Transcript, TranscriptMessage } from './transcript.ts'
import type { TurnMessage } from './turn-message.ts'

const splitUserMessage = (message: TurnMessage): readonly TurnMessage[] => {
  if (message.role !== 'user' || message.outside === true) return [message]
  const { own, recalled } = splitRecalled(message.text)
  if (recalled === undefined) return [message]
  const outside: TurnMessage = { role: 'user', text: recalled, outside: true }
  return own === '' ? [outside] : [{ ...message, text: own }, outside]
}

const isTrustedResult = (message: TurnMessage, trustedTools: ReadonlySet<string>): boolean => {
  const names = message.toolNames ?? []
  return names.length > 0 && names.every((name) => trustedTools.has(name))
}

/**
 * From the first text from outside on, what the agent says counts as `tool`, until the user speaks again. User messages in a row are one turn,
 * in whichever order a file and the question about it stand; a result that nobody has answered yet taints the next turn as well.
 */
export const stampTranscript = (messages: readonly TurnMessage[], trustedTools: ReadonlySet<string>): Transcript => {
  let tainted = false
  let previousRole: TurnMessage['role'] | undefined

  const originOf = (message: TurnMessage): Origin => {
    if (message.role === 'assistant' && message.outside !== true) return tainted ? 'tool' : 'assistant'
    if (message.role === 'user' && message.outside !== true) return 'user'
    if (message.role === 'tool' && message.outside !== true && isTrustedResult(message, trustedTools)) return tainted ? 'tool' : 'assistant'
    tainted = true
    return 'tool'
  }

  return messages.flatMap(splitUserMessage).map((message, index): TranscriptMessage => {
    if (message.role === 'user' && previousRole === 'assistant') tainted = false
    previousRole = message.role
    return { id: `m${index + 1}`, role: message.role, origin: originOf(message), text: message.text }
  })
}
