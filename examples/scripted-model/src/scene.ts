/** What the stand-in sees in a prompt, whichever framework sent it, and one step of what it does. */
import { type CatalogSkill, catalogSkills, type KnownEntry, memoryBlockEntries } from './prompt-blocks.ts'
import { ownWords, recalledStatements } from './recalled-text.ts'
import { MEMORY_TOOL, readMemoryToolInput, skillsRead, type ToolCall } from './tool-calls.ts'

/** A prompt as an adapter reads it. */
export interface Prompt {
  readonly system: string
  /** In order: the person's messages as texts, and the calls that were answered. */
  readonly chat: readonly (string | ToolCall)[]
}

export interface ReadPrompt {
  /** The person's messages, oldest first. */
  readonly said: readonly string[]
  /** What Hermes recalled of earlier conversations. */
  readonly recalled: readonly string[]
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

const isSaid = (part: string | ToolCall): part is string => typeof part === 'string'
const isCall = (part: string | ToolCall): part is ToolCall => typeof part !== 'string'

export const readPrompt = ({ system, chat }: Prompt): ReadPrompt => {
  const allCalls = chat.filter(isCall)
  return {
    said: chat.filter(isSaid).map(ownWords),
    recalled: chat.filter(isSaid).flatMap(recalledStatements),
    known: afterMemoryCalls(allCalls, memoryBlockEntries(system)),
    skills: catalogSkills(system),
    skillTexts: skillsRead(allCalls),
    allCalls,
    calls: chat.slice(chat.findLastIndex(isSaid) + 1).filter(isCall),
  }
}

export type ScriptedStep =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'call'; readonly toolName: string; readonly input: Readonly<Record<string, unknown>> }

export interface Scene extends ReadPrompt {
  /** What the person said last, trimmed. */
  readonly text: string
  readonly toolNames: readonly string[]
}

/** Undefined: not its business. Contract: the same scene always gives the same step. */
export type Decider = (scene: Scene) => ScriptedStep | undefined

export const say = (text: string): ScriptedStep => ({ kind: 'say', text })

/** Says so if the tool was not offered. */
export const call = ({ toolNames }: Scene, toolName: string, input: Readonly<Record<string, unknown>>): ScriptedStep =>
  toolNames.includes(toolName)
    ? { kind: 'call', toolName, input }
    : say(`I cannot do that: I was given no ${toolName.replaceAll('_', ' ')} tool.`)
