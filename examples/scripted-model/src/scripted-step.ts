/** One step of the stand-in, and what it decides it from. */
import type { ReadPrompt } from './read-prompt.ts'

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

/** Says so where the tool was not offered. */
export const call = ({ toolNames }: Scene, toolName: string, input: Readonly<Record<string, unknown>>): ScriptedStep =>
  toolNames.includes(toolName)
    ? { kind: 'call', toolName, input }
    : say(`I cannot do that: I was given no ${toolName.replaceAll('_', ' ')} tool.`)
