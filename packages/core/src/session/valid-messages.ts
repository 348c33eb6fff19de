/** Checks messages that untyped callers pass. */
import type { TurnMessage } from '../proposal/turn-message.ts'

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'tool'])

export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isMessage = (value: unknown): value is TurnMessage => {
  if (!isObject(value)) return false
  const { role, text, toolNames }: Partial<Record<keyof TurnMessage, unknown>> = value
  const namesFit = toolNames === undefined || (Array.isArray(toolNames) && toolNames.every((name) => typeof name === 'string'))
  return ROLES.has(role) && typeof text === 'string' && namesFit
}

export const areMessages = (value: unknown): boolean => Array.isArray(value) && value.every(isMessage)
