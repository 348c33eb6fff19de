/** What the stand-in can see in a prompt: what was said, what is known, and how the last tool call went. */
import { z } from 'zod'
import type { ProviderMessage, ProviderPrompt } from '../model/provider-spec.ts'
import { type KnownEntry, memoryBlockEntries } from './memory-block.ts'
import { MEMORY_TOOL, type MemoryToolInput, readMemoryToolInput } from './memory-tool-input.ts'

export interface ToolOutcome {
  readonly toolName: string
  readonly success: boolean
  /** Why not, in the tool's words; empty on success. */
  readonly problem: string
}

export interface ReadPrompt {
  readonly system: string
  /** The person's messages, oldest first. */
  readonly said: readonly string[]
  /** Entries of the block, brought up to date with what the chat's own tool calls changed. */
  readonly known: readonly KnownEntry[]
  /** Set where the prompt ends with a tool's result. */
  readonly lastTool: ToolOutcome | undefined
  /** What that tool was to do, where it is the memory tool. */
  readonly lastAction: MemoryToolInput['action'] | undefined
}

const resultSchema = z.object({
  success: z.boolean().optional(),
  error: z.string().optional(),
  message: z.string().optional(),
})

const userText = (message: ProviderMessage): string =>
  message.role === 'user' ? message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n') : ''

const outcomes = (message: ProviderMessage | undefined): ReadonlyMap<string, ToolOutcome> => {
  const found = new Map<string, ToolOutcome>()
  if (message?.role !== 'tool') return found
  for (const part of message.content) {
    if (part.type !== 'tool-result') continue
    const { output } = part
    const value = output.type === 'json' ? resultSchema.safeParse(output.value).data : undefined
    const success = output.type === 'json' ? value?.success !== false : output.type === 'text'
    const problem = value?.error ?? value?.message ?? (output.type === 'error-text' ? output.value : 'the tool failed')
    found.set(part.toolCallId, { toolName: part.toolName, success, problem: success ? '' : problem })
  }
  return found
}

const afterToolCalls = (prompt: ProviderPrompt, known: readonly KnownEntry[]): readonly KnownEntry[] => {
  let entries = known
  for (const [index, message] of prompt.entries()) {
    if (message.role !== 'assistant') continue
    const results = outcomes(prompt[index + 1])
    for (const part of message.content) {
      if (part.type !== 'tool-call' || part.toolName !== MEMORY_TOOL || results.get(part.toolCallId)?.success !== true) continue
      const input = readMemoryToolInput(part.input)
      if (input === undefined) continue
      if (input.old_text !== undefined) entries = entries.filter((entry) => entry.text !== input.old_text)
      if (input.content !== undefined) entries = [...entries, { target: input.target, text: input.content }]
    }
  }
  return entries
}

const lastMemoryAction = (message: ProviderMessage | undefined): MemoryToolInput['action'] | undefined =>
  message?.role === 'assistant'
    ? message.content.flatMap((part) => (part.type === 'tool-call' ? (readMemoryToolInput(part.input)?.action ?? []) : [])).at(-1)
    : undefined

export const readPrompt = (prompt: ProviderPrompt): ReadPrompt => {
  const system = prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n\n')
  return {
    system,
    said: prompt.filter((message) => message.role === 'user').map(userText),
    known: afterToolCalls(prompt, memoryBlockEntries(system)),
    lastTool: [...outcomes(prompt.at(-1)).values()].at(-1),
    lastAction: lastMemoryAction(prompt.at(-2)),
  }
}
