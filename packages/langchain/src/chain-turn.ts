/** One turn of a legacy chain, from its input and output values: finds the user's text, the answer and outside text. Pure. */
import type { TurnMessage } from '@hermes/core'
import { asList, asRecord, asText, cutText, toJson } from '@hermes/core/adapter'
import { toolResultText } from './content-text.ts'
import { isMessage } from './message-type.ts'
import { toTurnMessages } from './to-turn-messages.ts'
import { valueText } from './value-text.ts'

type Values = Readonly<Record<string, unknown>>

/** Settings that legacy chains accept among their inputs. */
const CALL_KEYS: ReadonlySet<string> = new Set(['signal', 'timeout', 'stop'])

export interface PickedValue {
  /** Undefined if there are several candidates and no key was named. */
  readonly text: string | undefined
  /** Parts of the picked value that are not the speaker's own: files, tool results, other speakers' messages in a list. */
  readonly foreign: readonly TurnMessage[]
  readonly others: Values
}

const readValue = (value: unknown, speaker: TurnMessage['role']): Pick<PickedValue, 'foreign'> & { readonly text: string } => {
  const list = isMessage(value) ? [value] : asList(value)
  if (list.length === 0 || !list.every(isMessage)) return { text: valueText(value), foreign: [] }
  const turn = toTurnMessages(list)
  const isOwn = (message: TurnMessage): boolean => message.role === speaker && message.outside !== true
  const words = turn.filter((message) => isOwn(message) && message.text !== '').map((message) => message.text)
  return { text: words.join('\n'), foreign: turn.filter((message) => !isOwn(message)) }
}

/**
 * `wanted`: keys in order of preference. Picks the value of the first that exists, or the only value. `speaker`: whose text it should
 * contain.
 */
export const pickValue = (
  values: Values,
  speaker: 'user' | 'assistant',
  wanted: readonly (string | undefined)[],
  ignored: readonly string[] = [],
): PickedValue => {
  const own = Object.fromEntries(Object.entries(values).filter(([key]) => !CALL_KEYS.has(key) && !ignored.includes(key)))
  const keys = Object.keys(own)
  const chosen = wanted.find((key) => key !== undefined && key in own) ?? (keys.length === 1 ? keys[0] : undefined)
  if (chosen === undefined) return { text: undefined, foreign: [], others: own }
  const { [chosen]: picked, ...others } = own
  return { ...readValue(picked, speaker), others }
}

const outsideText = (others: Values): readonly string[] =>
  Object.entries(others)
    .map(([key, value]) => ({ key, text: valueText(value) }))
    .filter(({ text }) => text !== '')
    .map(({ key, text }) => cutText(`${key}: ${text}`))

/**
 * Outputs that repeat what the chain was given, as an agent executor does: its unchanged inputs and its memory. `wanted`: outputs that the
 * host named. Empty if nothing else would be left.
 */
export const echoedKeys = (
  inputs: Values,
  outputs: Values,
  memoryKeys: readonly string[],
  wanted: readonly (string | undefined)[],
): readonly string[] => {
  const keys = Object.keys(outputs)
  const isEcho = (key: string): boolean => memoryKeys.includes(key) || (key in inputs && toJson(inputs[key]) === toJson(outputs[key]))
  const echoed = keys.filter((key) => !wanted.includes(key) && isEcho(key))
  return echoed.length === keys.length ? [] : echoed
}

const STEPS_KEY = 'intermediateSteps'

const hasAction = (step: unknown): boolean => asRecord(step)['action'] !== undefined

/** Steps in which an agent executor ran a tool; present with `returnIntermediateSteps: true`. */
const toolSteps = (outputs: Values): readonly unknown[] => asList(outputs[STEPS_KEY]).filter(hasAction)

export const countToolSteps = (outputs: Values): number => toolSteps(outputs).length

const stepMessages = (step: unknown): readonly TurnMessage[] => {
  const { action, observation } = asRecord(step)
  const name = asText(asRecord(action)['tool'])
  const toolNames = name === '' ? {} : { toolNames: [name] }
  return [
    { role: 'assistant', text: '', ...toolNames },
    { role: 'tool', text: toolResultText(observation), ...toolNames },
  ]
}

/** Other chains keep plain texts and objects among their steps. */
const withoutToolSteps = (outputs: Values): Values => {
  const rest = asList(outputs[STEPS_KEY]).filter((step) => !hasAction(step))
  const { [STEPS_KEY]: steps, ...others } = outputs
  if (!Array.isArray(steps)) return outputs
  return rest.length === 0 ? others : { ...others, [STEPS_KEY]: rest }
}

/**
 * The user's text comes first, even if it could not be determined. All other inputs and outputs (documents, intermediate steps) count as
 * outside text, and so does the answer as far as it uses them.
 */
export const chainTurn = (input: PickedValue, output: PickedValue): readonly TurnMessage[] => [
  { role: 'user', text: input.text ?? '' },
  ...[...input.foreign.map(({ text }) => cutText(text)), ...outsideText(input.others)]
    .filter((text) => text !== '')
    .map((text): TurnMessage => ({ role: 'user', text, outside: true })),
  ...output.foreign.map((message): TurnMessage => ({ ...message, role: 'tool' })),
  ...outsideText(withoutToolSteps(output.others)).map((text): TurnMessage => ({ role: 'tool', text })),
  ...toolSteps(output.others).flatMap(stepMessages),
  { role: 'assistant', text: output.text ?? '' },
]
