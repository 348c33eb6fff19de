/** What the stand-in can see in a prompt: what was said, what is known, what its tools answered. */
import type { ProviderMessage, ProviderPrompt } from '../model/provider-spec.ts'
import { type KnownEntry, memoryBlockEntries } from './memory-block.ts'
import { MEMORY_TOOL, readMemoryToolInput } from './memory-tool-input.ts'
import { type CatalogSkill, catalogSkills } from './skill-catalog-block.ts'
import { skillsRead } from './skill-tool-calls.ts'
import { type ToolCall, toolCalls } from './tool-call.ts'

export interface ReadPrompt {
  /** The person's messages, oldest first. */
  readonly said: readonly string[]
  /** Entries of the block, brought up to date with what the chat's own tool calls changed. */
  readonly known: readonly KnownEntry[]
  /** The skills that the system prompt lists. */
  readonly skills: readonly CatalogSkill[]
  /** The SKILL.md of each skill that was read in this chat, by its name. */
  readonly skillTexts: ReadonlyMap<string, string>
  /** Every tool call of the chat. */
  readonly allCalls: readonly ToolCall[]
  /** Those since the person spoke. */
  readonly calls: readonly ToolCall[]
}

const userText = (message: ProviderMessage): string =>
  message.role === 'user' ? message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n') : ''

const afterMemoryCalls = (calls: readonly ToolCall[], known: readonly KnownEntry[]): readonly KnownEntry[] => {
  let entries = known
  for (const { toolName, input: given, success } of calls) {
    const input = toolName === MEMORY_TOOL && success ? readMemoryToolInput(given) : undefined
    if (input === undefined) continue
    if (input.old_text !== undefined) entries = entries.filter((entry) => entry.text !== input.old_text)
    if (input.content !== undefined) entries = [...entries, { target: input.target, text: input.content }]
  }
  return entries
}

export const readPrompt = (prompt: ProviderPrompt): ReadPrompt => {
  const system = prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n\n')
  const calls = toolCalls(prompt)
  return {
    said: prompt.filter((message) => message.role === 'user').map(userText),
    known: afterMemoryCalls(calls, memoryBlockEntries(system)),
    skills: catalogSkills(system),
    skillTexts: skillsRead(calls),
    allCalls: calls,
    calls: toolCalls(prompt.slice(prompt.findLastIndex((message) => message.role === 'user'))),
  }
}
