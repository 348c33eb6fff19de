/** Items of the SDK: whose words they are, and how recalled text gets into them and out of them. Pure; never throws on unexpected items. */
import type { TurnMessage } from '@hermes/core'
import { appendFence, asList, asRecord, asText, cutText, scrubText, toJson, withSystemContext } from '@hermes/core/adapter'

export type Item = Readonly<Record<string, unknown>>

export const toItems = (input: string | readonly unknown[]): readonly Item[] =>
  typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input.map(asRecord)

const partsOf = (content: unknown): readonly Item[] =>
  typeof content === 'string' ? [{ type: 'input_text', text: content }] : asList(content).map(asRecord)

const isText = ({ type }: Item): boolean => type === 'input_text' || type === 'output_text' || type === 'text'

/** `[input_file: report.pdf]`, and behind it the transcript of a recording. */
const labelOf = (part: Item): string => {
  const name = asText(part['filename']) || asText(asRecord(part['file'])['filename'])
  const label = `[${[asText(part['type']) || 'part', name].filter((word) => word !== '').join(': ')}]`
  return [label, asText(part['transcript'])].filter((line) => line !== '').join('\n')
}

const partText = (part: Item): string => (isText(part) ? asText(part['text']) : asText(part['refusal']) || labelOf(part))

const textOf = (parts: readonly Item[]): string =>
  parts
    .map(partText)
    .filter((text) => text !== '')
    .join('\n')

/** The text of an assistant message. */
export const answerText = (item: Item): string => textOf(partsOf(item['content']))

// The user's own text comes first, even if empty: a message with only an attachment is still a user turn.
const userMessages = (content: unknown): readonly TurnMessage[] => {
  const parts = partsOf(content)
  const files = parts
    .filter((part) => !isText(part))
    .map((part): TurnMessage => ({ role: 'user', text: cutText(labelOf(part)), outside: true }))
  return [{ role: 'user', text: textOf(parts.filter(isText)) }, ...files]
}

/** Pages that an answer cites: the model read them before it answered, even if no tool call says so. */
const citedIn = (item: Item): readonly TurnMessage[] => {
  const cited = partsOf(item['content']).flatMap((part) => asList(asRecord(part['providerData'])['annotations']))
  return cited.length === 0 ? [] : [{ role: 'tool', text: cutText(`[sources: ${toJson(cited)}]`) }]
}

const spoken = (item: Item): readonly TurnMessage[] => {
  const text = answerText(item)
  return [...citedIn(item), ...(text === '' ? [] : [{ role: 'assistant', text } as const])]
}

const outputText = (output: unknown): string => {
  if (typeof output === 'string') return output
  const parts = (Array.isArray(output) ? output : [output]).map(asRecord)
  const isPart = ({ type }: Item): boolean => /^(?:input_)?(?:text|image|file)$/.test(asText(type))
  return parts.every(isPart) ? textOf(parts) : toJson(output, (key, value) => (key === 'data' ? '[data]' : value))
}

/** The end of the type of an item that a tool gave: `function_call_result`, `shell_call_output`. */
const RESULT = /(?:_result|_output)$/

/** `function_call` has the name that the host chose; the tools of the SDK go by their type: `computer`, `shell`. */
const toolNameOf = (item: Item): string =>
  asText(item['name']) ||
  asText(item['type'])
    .replace(RESULT, '')
    .replace(/_call$/, '')

/** What the provider keeps and does not show the adapter may hold anything, so it counts as text from outside. */
export const HIDDEN_HISTORY: TurnMessage = { role: 'user', text: '[earlier messages, which only the provider has]', outside: true }

/**
 * The result of a hand-off with the SDK's own name. The SDK writes it, and it says no more than the name of the tool, so it is not text from outside. With a name
 * of the host's, any tool could have given it.
 */
const isHandOff = ({ type, name, output }: Item): boolean => {
  const [, agent] = type === 'function_call_result' ? (/^\{"assistant":"([^"\\]+)"\}$/.exec(outputText(output)) ?? []) : []
  return agent !== undefined && name === `transfer_to_${agent.replace(/[^a-zA-Z0-9]/g, '_')}`
}

const messagesOf = (item: Item): readonly TurnMessage[] => {
  const { role, type } = item
  if (role === 'user') return userMessages(item['content'])
  if (role === 'assistant') return spoken(item)
  if (role === 'system' || type === 'reasoning' || isHandOff(item)) return []
  if (type === 'compaction') return [HIDDEN_HISTORY]
  const toolNames = [toolNameOf(item)]
  if (type === 'function_call' || isLocalCall(item)) return [{ role: 'assistant', text: '', toolNames }]
  if (RESULT.test(asText(type))) return [{ role: 'tool', text: cutText(outputText(item['output'] ?? item['tools'])), toolNames }]
  // Tools that the provider runs, and items that a later release adds.
  const { id: _id, type: _type, ...shown } = item
  return [{ role: 'tool', text: cutText(toJson(shown)), toolNames }]
}

/** Omits reasoning, and system messages except for text fenced with `fenceContext` of core. Results of tools are cut at `MAX_OUTSIDE_CHARS`. */
export const toTurnMessages = (items: readonly Item[]): readonly TurnMessage[] =>
  withSystemContext(items.flatMap(messagesOf), items.filter(({ role }) => role === 'system').map(answerText))

const isLocalCall = ({ type }: Item): boolean => /_call$/.test(asText(type)) && type !== 'hosted_tool_call'

export interface StepEnding {
  readonly calledTools: boolean
  /** The model has said its last word: nothing waits for a tool, a hand-off or an approval. */
  readonly turnFinished: boolean
  /** Calls of functions and of hand-offs, which the SDK is about to run. A hand-off asks nobody. */
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: string }[]
}

/** `handOffs`: names of the tools that hand over. */
export const endingOf = (output: readonly Item[], handOffs: readonly unknown[] = []): StepEnding => {
  const answered = new Set(output.filter(({ type }) => RESULT.test(asText(type))).map(({ callId }) => callId))
  const waiting = output.filter((item) => isLocalCall(item) && !answered.has(item['callId']))
  const isApproval = ({ name, providerData }: Item): boolean =>
    asText(name) === 'mcp_approval_request' || asRecord(providerData)['type'] === 'mcp_approval_request'
  return {
    calledTools: output.some(({ type }) => /_call$/.test(asText(type))),
    turnFinished: waiting.length === 0 && !output.some(isApproval) && output.some(({ role }) => role === 'assistant'),
    calls: waiting
      .filter(({ type }) => type === 'function_call')
      .map(({ callId, name, arguments: input }) => ({
        id: asText(callId),
        name: asText(name),
        input: handOffs.includes(name) ? '' : asText(input),
      })),
  }
}

const fenced = (content: unknown, fence: string): unknown => {
  if (typeof content === 'string') return appendFence(content, fence)
  const parts = asList(content)
  const at = parts.findLastIndex((part) => asRecord(part)['type'] === 'input_text')
  const last = asRecord(parts[at])
  return at < 0
    ? [...parts, { type: 'input_text', text: fence }]
    : parts.with(at, { ...last, text: appendFence(asText(last['text']), fence) })
}

/** A copy with the fences behind the user's messages, by their position among them. */
export const placeRecalled = (items: readonly Item[], fences: ReadonlyMap<number, string>): readonly Item[] => {
  if (fences.size === 0) return items
  let position = -1
  return items.map((item) => {
    if (item['role'] !== 'user') return item
    position += 1
    const fence = fences.get(position)
    return fence === undefined ? item : { ...item, content: fenced(item['content'], fence) }
  })
}

/** Changes the texts of an item's parts; the same object if all stay. */
const mapTexts = (item: Item, change: (text: string) => string): Item => {
  const changed = ['content', 'rawContent'].flatMap((key) => {
    const value = item[key]
    const next =
      typeof value === 'string'
        ? change(value)
        : asList(value).map((part) => {
            const text = asRecord(part)['text']
            return typeof text === 'string' ? { ...asRecord(part), text: change(text) } : part
          })
    return value === undefined || toJson(next) === toJson(value) ? [] : [[key, next] as const]
  })
  return changed.length === 0 ? item : { ...item, ...Object.fromEntries(changed) }
}

/** The output without what the model repeats of the fences. `onReasoning`: called with reasoning that was changed. */
export const scrubOutput = (
  output: readonly unknown[],
  fences: readonly string[],
  onReasoning: (shown: string, original: string) => void,
): readonly unknown[] => {
  if (fences.length === 0) return output
  return output.map((value) => {
    const item = asRecord(value)
    if (item['role'] !== 'assistant' && item['type'] !== 'reasoning') return value
    return mapTexts(item, (text) => {
      const shown = scrubText(text, fences)
      if (shown !== text && item['type'] === 'reasoning') onReasoning(shown, text)
      return shown
    })
  })
}

/** Reasoning as the model wrote it, since a provider may check that it comes back unchanged. */
export const restoreReasoning = (items: readonly Item[], originalOf: (shown: string) => string | undefined): readonly Item[] =>
  items.map((item) => (item['type'] === 'reasoning' ? mapTexts(item, (text) => originalOf(text) ?? text) : item))
