/** The answer of one model call, collected from its content (generate) or stream parts: text, tools, and how it ended. */
import type { TurnMessage } from '@hermes/core'
import { asRecord, asText } from '@hermes/core/adapter'
import { fileText, toolOutputText } from './part-text.ts'
import { toTurnMessages } from './to-turn-messages.ts'

type StepEnding =
  /** The model is done; the user turn is complete. */
  | 'finished'
  /** Tools or approvals follow; the turn stays open. */
  | 'open'
  /** The provider failed or stopped in the middle; nothing is counted. */
  | 'failed'

export interface StepReply {
  /** Takes a content part or a stream part; ignores unknown ones. */
  add(part: unknown): void
  messages(): readonly TurnMessage[]
  text(): string
  readonly calledTools: boolean
  ending(finishReason: unknown): StepEnding
}

const unified = (finishReason: unknown): string => asText(finishReason) || asText(asRecord(finishReason)['unified'])

const sourceText = (part: Readonly<Record<string, unknown>>): string =>
  `[source: ${[asText(part['title']), asText(part['url'])].filter((word) => word !== '').join(', ') || 'unnamed'}]`

export const stepReply = (): StepReply => {
  const parts: Record<string, unknown>[] = []
  const texts = new Map<string, { type: 'text'; text: string }>()
  let calledTools = false
  let waitsForHost = false

  const addDelta = (id: string, delta: string): void => {
    const known = texts.get(id)
    if (known !== undefined) known.text += delta
    else {
      const started: { type: 'text'; text: string } = { type: 'text', text: delta }
      texts.set(id, started)
      parts.push(started)
    }
  }

  const addToolCall = (part: Readonly<Record<string, unknown>>): void => {
    calledTools = true
    if (part['providerExecuted'] !== true) waitsForHost = true
    parts.push({ type: 'tool-call', toolName: part['toolName'] })
  }

  return {
    add(value) {
      const part = asRecord(value)
      switch (part['type']) {
        case 'text':
          parts.push({ type: 'text', text: asText(part['text']) })
          break
        case 'text-delta':
          addDelta(asText(part['id']), asText(part['delta']))
          break
        case 'tool-call':
          addToolCall(part)
          break
        case 'tool-result':
          if (part['preliminary'] !== true) {
            parts.push({ type: 'tool-result', toolName: part['toolName'], output: { type: 'text', value: toolOutputText(part['result']) } })
          }
          break
        case 'source':
          // Text with search sources is based on outside text, even if the provider shows no tool call.
          parts.push({ type: 'tool-result', output: { type: 'text', value: sourceText(part) } })
          break
        case 'file':
          parts.push({ type: 'text', text: fileText({ ...part, data: undefined }) })
          break
        case 'tool-approval-request':
          waitsForHost = true
          break
        default:
      }
    },
    messages: () => toTurnMessages([{ role: 'assistant', content: parts }]),
    text: () =>
      parts
        .filter((part) => part['type'] === 'text')
        .map((part) => asText(part['text']))
        .join(''),
    get calledTools() {
      return calledTools
    },
    ending(finishReason) {
      const reason = unified(finishReason)
      if (reason === 'error' || reason === 'interrupted') return 'failed'
      return reason === 'tool-calls' || waitsForHost ? 'open' : 'finished'
    },
  }
}
