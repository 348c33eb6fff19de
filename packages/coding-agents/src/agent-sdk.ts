/**
 * `@hermes/coding-agents/agent-sdk`: Hermes for the Claude Agent SDK, in the host's own process. The block of a session goes into the system prompt, hooks record its
 * turns from the transcript that the SDK writes, with whose words they are, a server offers the tools, and `query` itself reviews.
 */
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { type HostModel, type Session, systemClock, type TurnMessage } from '@hermes/core'
import { asRecord, asText, isSession, runTool, toJson } from '@hermes/core/adapter'
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { claudeCode } from './claude-code/claude-code.ts'
import { usageOf } from './claude-code/transcript.ts'
import type { Bookmark } from './hook/bookmark.ts'
import { type NewTurns, readNewTurns } from './hook/new-turns.ts'
import { ALWAYS_LOAD } from './mcp/serve-tools.ts'
import { fromAnywhere, shownIn } from './mcp/shown-before.ts'

/** Milliseconds by which a prompt may be older than the hook that tells of it. */
const PROMPT_BEFORE_HOOK_MS = 2_000
/** Milliseconds until the SDK has written what a hook or a call of a tool follows; the hook holds up the run so long. It usually takes a tenth of a second. */
const WRITTEN_WITHIN_MS = 2_000
const LOOK_EVERY_MS = 25

type Fields = Readonly<Record<string, unknown>>

/** Up to where the turns of a session were recorded. */
interface Reading {
  readonly transcript: string
  bookmark: Bookmark
}

/** Of a conversation of which nothing was recorded. */
const UNRECORDED = { end: 0, isUnread: false, isShown: true, project: undefined, recordedUntil: 0 }

const readings = new WeakMap<Session, Reading>()

const readingOf = (session: Session, input: Fields): Reading => {
  const transcript = asText(input['transcript_path'])
  const known = readings.get(session)
  if (known?.transcript === transcript) return known
  // Earlier turns of a conversation that goes on here were recorded elsewhere, or never.
  const reading = { transcript, bookmark: { ...UNRECORDED, since: systemClock() - PROMPT_BEFORE_HOOK_MS } }
  readings.set(session, reading)
  return reading
}

/** The block is in the system prompt, and in no row of the transcript. */
const NO_BLOCK = ''

/** What is new in the transcript, as soon as it holds what `isThere` looks for; undefined if that takes too long. */
const readUntil = async (reading: Reading, isThere: (found: NewTurns) => boolean): Promise<NewTurns | undefined> => {
  const until = systemClock() + WRITTEN_WITHIN_MS
  do {
    const found = await readNewTurns(claudeCode, reading.transcript, reading.bookmark, NO_BLOCK).catch(() => undefined)
    if (found && isThere(found)) return found
    await pause(LOOK_EVERY_MS)
  } while (systemClock() < until)
  return undefined
}

/** What is not written in time is recorded with the next turn. */
const record = async (session: Session, input: Fields): Promise<void> => {
  const reading = readingOf(session, input)
  const answer = asText(input['last_assistant_message']).trim()
  const isAnswer = ({ role, text }: TurnMessage): boolean => role === 'assistant' && text.includes(answer)
  const found = await readUntil(reading, ({ turns }) => turns.at(-1)?.messages.some(isAnswer) === true)
  if (!found) return
  for (const [index, { messages, toolIterations, usage }] of found.turns.entries())
    session.recordTurn({ messages, toolIterations, ...(usage ? { usage } : {}), ...(index === 0 ? { before: found.before } : {}) })
  // What is older is never recorded again, also if the transcript is written anew.
  const since = Math.max(reading.bookmark.since, ...found.turns.map(({ at }) => (at ?? 0) + 1))
  reading.bookmark = { ...reading.bookmark, since, end: found.end }
}

/** Fits the SDK's `HookCallbackMatcher[]`. */
type Hook = { readonly hooks: ((input: unknown) => Promise<Record<string, never>>)[] }[]

const hook = (session: Session, work: (session: Session, input: Fields) => unknown): Hook => {
  const callback = async (input: unknown) => {
    // Sub-agents are no part of the conversation.
    if (asRecord(input)['agent_id'] === undefined) await work(session, asRecord(input))
    return {}
  }
  return [{ hooks: [callback] }]
}

const checkSession = (caller: string, session: unknown): void => {
  if (!isSession(session))
    throw new TypeError(`${caller} needs a session: ${caller}(hermes.session(sessionId)), with the sessionId of the query.`)
}

/** For the option `hooks` of `query`. Failures of Hermes never reach the run. */
export const hermesHooks = (session: Session): { UserPromptSubmit: Hook; Stop: Hook } => {
  checkSession('hermesHooks', session)
  return { UserPromptSubmit: hook(session, readingOf), Stop: hook(session, record) }
}

/** The agent's tools, for `mcpServers: { hermes: hermesServer(session) }`. `instance` has the methods that the SDK calls, and not its class. */
export const hermesServer = (session: Session): { type: 'sdk'; name: string; instance: never } => {
  checkSession('hermesServer', session)
  const server = new McpServer({ name: 'hermes', version: '1' })
  for (const tool of session.offerTools())
    server.registerTool(
      tool.name,
      { description: tool.description, inputSchema: fromJsonSchema(tool.jsonSchema), _meta: ALWAYS_LOAD },
      async (input, { mcpReq }) => {
        const [id, reading] = [claudeCode.callId(asRecord(mcpReq._meta)), readings.get(session)]
        const found = reading && id !== undefined && (await readUntil(reading, ({ rows }) => claudeCode.holdsCall(rows, id)))
        const messages = found ? shownIn(found) : fromAnywhere({ input, id })
        const answer = await runTool(tool, () => tool.execute(input, { messages }))
        return { content: [{ type: 'text', text: toJson(answer) }], isError: answer['success'] === false }
      },
    )
  return { type: 'sdk', name: 'hermes', instance: server as never }
}

/** The SDK's `query`. */
export type Query = (call: { prompt: string; options: Record<string, unknown> }) => AsyncIterable<unknown>

/**
 * A model for reviews: `createHermes({ review: { model: hostModel(query, { model: 'haiku' }) } })`. Each review is one call without tools, settings and hooks, of which
 * nothing is stored. `options`: further ones of `query`.
 */
export const hostModel =
  (query: Query, options: Readonly<Record<string, unknown>> = {}): HostModel =>
  async ({ system, messages, signal }) => {
    signal.throwIfAborted()
    const abortController = new AbortController()
    signal.addEventListener('abort', () => abortController.abort(signal.reason), { once: true })
    const plain = { systemPrompt: system, tools: [], settingSources: [], persistSession: false, maxTurns: 1, cwd: tmpdir() }
    const prompt = messages.map(({ content }) => content).join('\n\n')
    for await (const message of query({ prompt, options: { ...plain, abortController, ...options } })) {
      const { type, result, is_error: isError, usage } = asRecord(message)
      if (type !== 'result') continue
      if (isError === true || typeof result !== 'string') throw new Error(`Claude could not answer: ${asText(result).slice(0, 200)}`)
      const used = usageOf(asRecord(usage))
      return { text: result, ...(used ? { usage: used } : {}) }
    }
    throw new Error('The Claude Agent SDK ended without an answer.')
  }
