/** Items of the SDK: whose words they are, and how recalled text gets into them and out of them. Pure; never throws on unexpected items. */
import type { TurnMessage } from '@hermes/core'
import { asList, asRecord, asText, cutText, type OriginalTexts, scrubText, toJson, withSystemContext } from '@hermes/core/adapter'

export type Item = Readonly<Record<string, unknown>>

export const toItems = (input: string | readonly unknown[]): readonly Item[] =>
  typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input.map(asRecord)

const partsOf = (content: unknown): readonly Item[] =>
  typeof content === 'string' ? [{ type: 'input_text', text: content }] : asList(content).map(asRecord)

const isText = ({ type }: Item): boolean => /^(?:(?:in|out)put_)?text$/.test(asText(type))

const joined = (texts: readonly string[], by: string): string => texts.filter((text) => text !== '').join(by)

/** `[input_file: report.pdf]`, and behind it the transcript of a recording. */
const labelOf = ({ type, filename, transcript }: Item): string =>
  joined([`[${joined([asText(type), asText(filename)], ': ')}]`, asText(transcript)], '\n')

const partText = (part: Item): string => (isText(part) ? asText(part['text']) : asText(part['refusal']) || labelOf(part))

const textOf = (parts: readonly Item[]): string => joined(parts.map(partText), '\n')

/** The text of an assistant message. */
export const answerText = ({ content }: Item): string => textOf(partsOf(content))

// The user's own text comes first, even if empty: a message with only an attachment is still a user turn.
const userMessages = (content: unknown): readonly TurnMessage[] => {
  const parts = partsOf(content)
  const files = parts.filter((part) => !isText(part)).map(labelOf)
  const attached = files.map((text): TurnMessage => ({ role: 'user', text: cutText(text), outside: true }))
  return [{ role: 'user', text: textOf(parts.filter(isText)) }, ...attached]
}

// Pages that an answer cites come first: the model read them before it answered, even if no tool call says so.
const assistantMessages = (item: Item): readonly TurnMessage[] => {
  const cited = partsOf(item['content']).flatMap(({ providerData }) => asList(asRecord(providerData)['annotations']))
  const sources = cited.length === 0 ? '' : cutText(`[sources: ${toJson(cited)}]`)
  const said: readonly TurnMessage[] = [
    { role: 'tool', text: sources },
    { role: 'assistant', text: answerText(item) },
  ]
  return said.filter(({ text }) => text !== '')
}

const outputText = (output: unknown): string => {
  const parts = [output].flat().map(asRecord)
  const isPart = ({ type }: Item): boolean => /^(?:input_)?(?:text|image|file)$/.test(asText(type))
  if (typeof output === 'string' || parts.every(isPart)) return typeof output === 'string' ? output : textOf(parts)
  return toJson(output, (key, value) => (key === 'data' ? '[data]' : value))
}

/** What a tool gave: `function_call_result`, `shell_call_output`. */
const isResult = ({ type }: Item): boolean => /_(?:result|output)$/.test(asText(type))

/** A call of a function, or of a tool that the SDK runs on the host's machine. */
const isLocalCall = ({ type }: Item): boolean => /_call$/.test(asText(type)) && type !== 'hosted_tool_call'

/** What the provider keeps and does not show the adapter may hold anything, so it counts as text from outside. */
export const HIDDEN_HISTORY: TurnMessage = { role: 'user', text: '[earlier messages, which only the provider has]', outside: true }

/**
 * The result of a hand-off with the SDK's own name. The SDK writes it, and it says no more than the name of the tool, so it is not text from outside. With a name
 * of the host's, any tool could have given it.
 */
const isHandOff = ({ name, output }: Item): boolean => {
  const [, agent] = /^\{"assistant":"([^"\\]+)"\}$/.exec(outputText(output)) ?? []
  return agent !== undefined && name === `transfer_to_${agent.replace(/[^a-zA-Z0-9]/g, '_')}`
}

const messagesOf = (item: Item): readonly TurnMessage[] => {
  const { role, type } = item
  if (role === 'user') return userMessages(item['content'])
  if (role === 'assistant') return assistantMessages(item)
  if (role === 'system' || type === 'reasoning' || (type === 'function_call_result' && isHandOff(item))) return []
  if (type === 'compaction') return [HIDDEN_HISTORY]
  // `function_call` has the name that the host chose; the tools of the SDK go by their type: `computer`, `shell`.
  const toolNames = [asText(item['name']) || asText(type).replace(/(?:_call)?(?:_result|_output)?$/, '')]
  if (isLocalCall(item)) return [{ role: 'assistant', text: '', toolNames }]
  // Otherwise a tool that the provider runs, or an item that a later release adds.
  const { id: _id, type: _type, ...shown } = item
  return [{ role: 'tool', text: cutText(isResult(item) ? outputText(item['output'] ?? item['tools']) : toJson(shown)), toolNames }]
}

/** Omits reasoning, and system messages except for text fenced with `fenceContext` of core. Results of tools are cut at `MAX_OUTSIDE_CHARS`. */
export const toTurnMessages = (items: readonly Item[]): readonly TurnMessage[] =>
  withSystemContext(items.flatMap(messagesOf), items.filter(({ role }) => role === 'system').map(answerText))

/**
 * How a model call ends. `turnFinished`: the model has said its last word, and nothing waits for a tool, a hand-off or an approval. `calls`: those of functions and
 * of hand-offs, which the SDK is about to run; a hand-off asks nobody. `handOffs`: names of the tools that hand over.
 */
export const endingOf = (output: readonly Item[], handOffs: readonly unknown[] = []) => {
  const answered = new Set(output.filter(isResult).map(({ callId }) => callId))
  const waiting = output.filter((item) => isLocalCall(item) && !answered.has(item['callId']))
  const isOver = waiting.length === 0 && !output.some(({ name }) => name === 'mcp_approval_request')
  const calls = waiting.filter(({ type }) => type === 'function_call')
  return {
    calledTools: output.some(({ type }) => /_call$/.test(asText(type))),
    turnFinished: isOver && output.some(({ role }) => role === 'assistant'),
    calls: calls.map(({ callId, name, arguments: input }) => ({
      id: asText(callId),
      name: asText(name),
      input: handOffs.includes(name) ? '' : asText(input),
    })),
  }
}

/** A copy with other texts in its parts. */
const mapTexts = (item: Item, change: (text: string) => string): Item => {
  const changed = (value: unknown): unknown => {
    const { text } = asRecord(value)
    if (typeof value === 'string') return change(value)
    return typeof text === 'string' ? { ...asRecord(value), text: change(text) } : value
  }
  const contents = Object.entries(item).filter(([key]) => key === 'content' || key === 'rawContent')
  return {
    ...item,
    ...Object.fromEntries(contents.map(([key, value]) => [key, Array.isArray(value) ? value.map(changed) : changed(value)])),
  }
}

/** The output without what the model repeats of the fences. `onReasoning`: called with reasoning that was changed. */
export const scrubOutput = (
  output: readonly unknown[],
  fences: readonly string[],
  onReasoning: OriginalTexts['note'],
): readonly unknown[] => {
  if (fences.length === 0) return output
  return output.map((value) => {
    const item = asRecord(value)
    const isReasoning = item['type'] === 'reasoning'
    if (item['role'] !== 'assistant' && !isReasoning) return value
    return mapTexts(item, (text) => {
      const shown = scrubText(text, fences)
      if (shown !== text && isReasoning) onReasoning(shown, text)
      return shown
    })
  })
}

/** Reasoning as the model wrote it, since a provider may check that it comes back unchanged. */
export const restoreReasoning = (items: readonly Item[], originalOf: (shown: string) => string | undefined): readonly Item[] =>
  items.map((item) => (item['type'] === 'reasoning' ? mapTexts(item, (text) => originalOf(text) ?? text) : item))
