/**
 * What surrounds the agent's tools: whose call it is, what its result shows, and which skills a turn uses, and tools that one agent
 * offers to all sessions.
 */

import type { TurnMessage } from '../proposal/turn-message.ts'
import { OWN_TOOLS } from '../shared/own-tools.ts'
import { readOnce } from '../shared/read-once.ts'
import { describeCall } from '../tools/describe-call.ts'
import type { ToolContext, ToolDefinition, ToolRefusal } from '../tools/tool-definition.ts'
import type { UsageEvent } from '../usage/usage-record.ts'
import type { WiringFailure } from './hermes-event.ts'
import type { LazySession } from './lazy-session.ts'
import type { ModelToolCall } from './nested-run.ts'
import type { OpenOptions, Session, ToolOffer } from './session.ts'
import type { SessionContext } from './session-context.ts'
import { addNobodysCall, closeNobodysCall, type ToolCallReference } from './session-nesting.ts'
import type { SessionState } from './session-state.ts'
import type { OfferedTool } from './tool-trust.ts'

const otherHome = (sessionId: string, tool: string): WiringFailure => ({
  mistake: 'other-home',
  message: `The tool '${tool}' of session '${sessionId}' was called by a model that is wrapped for another home, so nothing was read or written. Take the model and the tools of a call from the same createHermes object.`,
})

const REFUSAL = {
  success: false,
  done: true,
  code: 'wiring',
  error:
    'This tool belongs to another conversation, so nothing was read or written. Do not call it again in this turn; go on with the task.',
} as const satisfies ToolRefusal

/** Marks user messages that another agent wrote as text from outside. */
const withoutUser = (messages: readonly TurnMessage[] = []): readonly TurnMessage[] =>
  messages.map((message) => (message.role === 'user' ? { ...message, outside: true } : message))

/**
 * Our own tools: what they give out is remembered, so that it is recognised when a prompt shows it; text from outside that they show is in sight. Behind other text
 * from outside it changes nothing: what was said before that stays the agent's. `seesOutside`: whether the conversation of a call holds text from outside.
 */
export const notedTool = (
  tool: ToolDefinition,
  open: LazySession,
  seesOutside: (messages: readonly TurnMessage[] | undefined) => Promise<boolean>,
): ToolDefinition => ({
  ...tool,
  execute: async (input, context) => {
    let showsOutside = false
    const onOutside = () => {
      showsOutside = true
    }
    const result = await tool.execute(input, { ...context, onOutside })
    if (!showsOutside)
      open.whenReady((state) => state.noteResult(tool.shownAs?.(result) ?? JSON.stringify(result), describeCall(tool.name, input, result)))
    else if (!(await seesOutside(context?.messages))) open.taint()
    return result
  },
})

/** A session's tool as the host runs it: it acts only for calls of the session's own home, and a sub-agent's question never counts as the user's words. */
export const guardTool = (tool: ToolDefinition, context: SessionContext): ToolDefinition => ({
  ...tool,
  execute: async (input, call) => {
    const { id, nesting, misplaced } = context
    if (misplaced) return REFUSAL
    const owner = call?.toolCallId === undefined ? 'unknown' : nesting.ownerOfCall(call.toolCallId, tool.name)
    if (owner === 'other-home') {
      context.reportWiring(otherHome(id, tool.name))
      return REFUSAL
    }
    // An unreported call is judged by its conversation.
    const isNested = owner === 'nested' || (owner === 'unknown' && call?.messages !== undefined && nesting.isNested(call.messages))
    if (!isNested) return tool.execute(input, call)
    return tool.execute(input, { ...call, messages: withoutUser(call?.messages) })
  },
})

/** Counts the use of skills by a session behind the turn, and the successes of the turns that load skills. */
export class SkillCounts {
  readonly #context: Pick<SessionContext, 'usage' | 'tasks' | 'failed' | 'offeredAs' | 'skillFailed'>
  readonly #open: Pick<LazySession, 'whenReady'>

  constructor(
    context: Pick<SessionContext, 'usage' | 'tasks' | 'failed' | 'offeredAs' | 'skillFailed'>,
    open: Pick<LazySession, 'whenReady'>,
  ) {
    this.#context = context
    this.#open = open
  }

  /** Counts events under the skill's own name; a failure is an event. */
  count(name: string, events: readonly UsageEvent[]): void {
    if (events.includes('use')) this.#open.whenReady((state) => state.noteSkills({ loadedInTurn: { add: name } }))
    this.#context.tasks.run(() => this.#write(name, events))
  }

  /** The current turn has changed the skill, so having loaded it no longer counts as a success. */
  noteChanged(name: string): void {
    this.#open.whenReady((state) => state.noteSkills({ loadedInTurn: { remove: [name] } }))
  }

  /** What an earlier turn loaded counts no more: it never ended. */
  turnBegan(state: Pick<SessionState, 'loadedInTurn' | 'noteSkills'>): void {
    if (state.loadedInTurn.length > 0) state.noteSkills({ loadedInTurn: { remove: state.loadedInTurn } })
  }

  /** Counts a success for each skill that the turn loaded, or a failure if a tool of the host failed in it. */
  turnEnded(messages: readonly TurnMessage[], state: Pick<SessionState, 'loadedInTurn' | 'noteSkills'>): void {
    const skills = state.loadedInTurn
    if (skills.length === 0) return
    state.noteSkills({ loadedInTurn: { remove: skills } })
    // A refusal of our own tools is no failure of the task. A process that offers none may record a turn that called them.
    const { offeredAs } = this.#context
    const own = new Set(offeredAs.size > 0 ? offeredAs.values() : OWN_TOOLS)
    const failed = messages.find((message) => message.failed && !message.toolNames?.some((name) => own.has(name)))
    for (const name of skills) this.count(name, [failed ? 'failure' : 'success'])
    const tool = failed?.toolNames?.[0] ?? 'a tool'
    if (failed) state.noteSkills({ failedUses: skills.map((skill) => ({ skill, tool })) })
  }

  async #write(name: string, events: readonly UsageEvent[]): Promise<void> {
    for (const event of events) {
      const counted = await this.#context.usage?.record(name, event)
      if (counted?.ok === false) this.#context.failed('count skill use', counted.error)
      else if (counted && event === 'failure') this.#context.skillFailed(name, counted.value)
    }
  }
}

export interface SharedToolsDeps {
  /** Opens any session with the same options, as the source of names, descriptions and schemas. `options`: with a project, if sessions may have one. */
  readonly pattern: (options: OpenOptions) => Session
  /** The session of a call that is about to run; undefined the second time. */
  readonly sessionOfRun: (call: ToolCallReference) => Session | undefined
  readonly reportWiring: (failure: WiringFailure) => void
}

export interface SharedTools {
  /**
   * As `session.offerTools`, for all sessions: the session is that of the model that made the call, as reported with `noteToolCall`. A call is refused, with
   * an event, if its session is unknown or ambiguous, or if it has run before.
   */
  offerTools(offer?: ToolOffer): readonly ToolDefinition[]
  /**
   * Reports that a call of the session offers these tools, or tools with these names: the frozen text then names those made by `offerTools`. For adapters,
   * before `systemBlock()`.
   */
  noteOffered(session: Session, offered: readonly (string | OfferedTool)[]): void
  /**
   * Reports a tool call of a model call that belongs to no session. Several providers restart the ids of tool calls in every answer: a session's call with
   * the same id and conversation is refused until a prompt given to `beginUnownedStep` shows the result. For adapters, before the host can run the tool.
   * Never throws.
   */
  noteUnownedCall(call: ModelToolCall): void
  /** Reports a model call that belongs to no session, before it is made. For adapters. Never throws. */
  beginUnownedStep(prompt: readonly TurnMessage[]): void
}

const NOBODYS = {
  success: false,
  done: true,
  code: 'wiring',
  error: 'It is not known whose memory this is, so nothing was read or written. Do not call it again in this turn; go on with the task.',
} as const satisfies ToolRefusal

const unknownSession = (tool: string): WiringFailure => ({
  mistake: 'missing-session',
  message: `The tool '${tool}' was called, but not by a model that is known to belong to a session, so nothing was read or written. Wrap the model that calls it for the same Hermes or homes, let each call name its owner and session, and run the tool in the same process, once for each call, with the user's messages as the model was shown them. If that is not possible, offer the tools of the one session.`,
})

export const sharedTools = ({ pattern, sessionOfRun, reportWiring }: SharedToolsDeps): SharedTools => {
  // Names by description, for each prefix.
  const offers = new Map<string, ReadonlyMap<string, string>>()
  const [lender, ofProjects] = [readOnce(() => pattern({})), readOnce(() => pattern({ project: 'any' }))]

  const execute = async ({ prefix = '', form }: ToolOffer, { name }: ToolDefinition, input: unknown, context?: ToolContext) => {
    const id = context?.toolCallId
    const session = id === undefined ? undefined : sessionOfRun({ id, name, messages: context?.messages })
    const tool = session?.offerTools({ prefix, form, only: [name.slice(prefix.length)] })[0]
    if (tool) return tool.execute(input, context)
    reportWiring(unknownSession(name))
    return NOBODYS
  }

  return {
    offerTools({ prefix = '', only, projects, form } = {}) {
      const tools = (projects ? ofProjects : lender).read().offerTools({ prefix, only, form })
      // The frozen text names no files.
      const named = form === 'files' ? [] : tools.map(({ name, description }) => [description, name] as const)
      offers.set(prefix, new Map([...(offers.get(prefix) ?? []), ...named]))
      return tools.map((tool) => ({ ...tool, execute: (input, context) => execute({ prefix, form }, tool, input, context) }))
    },
    noteOffered(session, offered) {
      for (const [prefix, names] of offers) {
        const known = new Set(names.values())
        const own = offered
          .map((tool): OfferedTool => (typeof tool === 'string' ? { name: tool } : tool))
          .filter(({ name, description }) => (description === undefined ? known.has(name) : names.get(description) === name))
          .map(({ name }) => name.slice(prefix.length))
        if (own.length > 0) session.offerTools({ prefix, only: own })
      }
    },
    noteUnownedCall: addNobodysCall,
    beginUnownedStep: closeNobodysCall,
  }
}
