/**
 * The messages of opencode, as its plugin hands them over. The user's are the texts of a user message that opencode has not made itself, unless they are the text of a
 * command; files, agents that were mentioned and summaries are from outside.
 */
import { asCount, asList, asRecord, asText, cutText, toJson } from '@hermes/core/adapter'
import { type AgentTurns, TurnCollector } from '../transcript/agent-turn.ts'

type Row = Readonly<Record<string, unknown>>

/** Parts about the program, and what the model has thought: nothing of it comes from elsewhere. */
const ABOUT_THE_PROGRAM: ReadonlySet<unknown> = new Set(['step-start', 'step-finish', 'snapshot', 'patch', 'reasoning', 'retry'])

/** `hermes_memory` is our `memory`. */
const toolName = (name: unknown): string => asText(name).replace(/^hermes_/, '')

/** `opencode run` puts a prompt into quotation marks, and what it was piped behind it in a new line. */
const WITH_PIPED = /^("(?:[^"\\]|\\.)*")\n([\s\S]+)$/

class OpencodeMessages {
  readonly #collector = new TurnCollector()

  add(row: Row): void {
    const info = asRecord(row['info'])
    const parts = asList(row['parts']).map(asRecord)
    if (info['role'] === 'user') this.#user(parts, row['isTyped'] === true, asCount(asRecord(info['time'])['created']))
    else if (info['role'] === 'assistant') this.#assistant(info, parts)
    else if (row['info'] !== undefined) this.#collector.addOutside(cutText(toJson(row)))
  }

  collected(): AgentTurns {
    return this.#collector.collected()
  }

  #user(parts: readonly Row[], isTyped: boolean, at: number | undefined): void {
    const isOwn = ({ type, synthetic, ignored }: Row) => isTyped && type === 'text' && synthetic !== true && ignored !== true
    const sent = parts
      .filter(isOwn)
      .map(({ text }) => asText(text))
      .join('\n')
      .trim()
    const [, own = sent, piped = ''] = WITH_PIPED.exec(sent) ?? []
    if (own !== '') this.#collector.opens(own, at)
    this.#collector.addOutside(cutText(piped))
    for (const part of parts) if (!isOwn(part)) this.#added(part)
  }

  /** What opencode has put into a message. */
  #added(part: Row): void {
    if (part['ignored'] !== true && !ABOUT_THE_PROGRAM.has(part['type']))
      this.#collector.addOutside(cutText(asText(part['text']) || toJson(part)))
  }

  #assistant(info: Row, parts: readonly Row[]): void {
    const texts = parts.filter(({ type }) => type === 'text').map(({ text }) => asText(text))
    const calls = parts.filter(({ type }) => type === 'tool')
    const toolNames = calls.map(({ tool }) => toolName(tool))
    const text = texts.join('\n')
    // A summary takes the place of what was before.
    if (info['summary'] === true) this.#collector.addOutside(cutText(text))
    else if (text !== '' || calls.length > 0) this.#collector.add({ role: 'assistant', text, ...(calls.length > 0 ? { toolNames } : {}) })
    for (const [index, call] of calls.entries()) {
      const { status, output, error } = asRecord(call['state'])
      const failed = status === 'error' ? { failed: true } : {}
      this.#collector.add({ role: 'tool', text: cutText(asText(output) || asText(error)), toolNames: [toolNames[index] ?? ''], ...failed })
    }
    for (const part of parts.filter(({ type }) => type !== 'text' && type !== 'tool')) this.#added(part)
    const tokens = asRecord(info['tokens'])
    const cache = asRecord(tokens['cache'])
    const cachedInputTokens = asCount(cache['read']) ?? 0
    this.#collector.noteCall(asText(info['id']), calls.length > 0, {
      inputTokens: (asCount(tokens['input']) ?? 0) + cachedInputTokens + (asCount(cache['write']) ?? 0),
      cachedInputTokens,
      outputTokens: asCount(tokens['output']) ?? 0,
    })
  }
}

/** The block of Hermes is in the system prompt, which is no message. */
export const opencodeTurns = (rows: readonly unknown[]): AgentTurns => {
  const collector = new OpencodeMessages()
  for (const row of rows) collector.add(asRecord(row))
  return collector.collected()
}
