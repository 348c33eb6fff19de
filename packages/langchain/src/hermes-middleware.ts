/**
 * Hermes as middleware for `createAgent` of langchain 1: the memory block in the system message, the tools, and the review after the run.
 */
import { asRecord, asText, type HermesWarningListener, insideCall, warningListener } from '@hermes/core/adapter'
import type { StructuredToolInterface } from '@langchain/core/tools'
import { type AgentMiddleware, createMiddleware } from 'langchain'
import { type AgentStateUpdate, agentStateSchema, isStateKept, keptIn, withCounts, withOwner } from './agent-state.ts'
import { type AgentRequest, beginAgentStep } from './agent-step.ts'
import { callOf, type HermesCall } from './hermes-call.ts'
import { baseOf, checkTarget, type HermesTarget, servesMany } from './hermes-target.ts'
import { offeredTools, toLangChainTools } from './hermes-tools.ts'
import type { ReviewModel } from './host-model.ts'
import { runsInsideTool } from './inside-tool.ts'
import { messageType } from './message-type.ts'
import { originalReasonings } from './original-reasoning.ts'
import { type ResolvedSession, resolveSession } from './resolve-session.ts'
import { runNotes } from './run-notes.ts'
import { toTurnMessages } from './to-turn-messages.ts'

export interface HermesMiddlewareOptions {
  /** A model for reviews only. Default: the agent's own. */
  readonly reviewModel?: ReviewModel
  /** Adds the session's tools (`memory`, and those for skills) to the agent's. Default: true. */
  readonly tools?: boolean
  /** Prefix of each tool name, for agents that already have a tool called `memory`. Default: `''`. */
  readonly toolPrefix?: string
  /** Runs name projects, so the memory tool has the target `project`. Default: only where `createHermes`, or the one session, has a project. */
  readonly projects?: boolean
  /** Called on misconfiguration. Default: `console.warn`, once for each kind. */
  readonly onWarning?: HermesWarningListener
}

export type HermesMiddleware = AgentMiddleware<typeof agentStateSchema, undefined, unknown, readonly StructuredToolInterface[], readonly []>

/**
 * `target`: the Hermes of one owner, with the thread as its session (`configurable.thread_id`, or `sessionId`); homes, where the run also
 * names its owner (`user_id` in `configurable` or `context`); or one session for all runs. Place it after middleware that adds documents to
 * the prompt, and before middleware that reads the final prompt. Hermes never makes a run fail; a run that fails by itself is not affected.
 */
export const hermesMiddleware = (target: HermesTarget, options: HermesMiddlewareOptions = {}): HermesMiddleware => {
  const { reviewModel, tools = true, toolPrefix = '', projects } = options
  const warn = warningListener(options.onWarning)
  checkTarget('hermesMiddleware', target)
  const notes = runNotes()
  const reasoningOf = originalReasonings()

  // Hooks do not warn: a run without memory is reported by its model and tool calls, once for each.
  const find = (call: HermesCall, state: unknown, listener?: HermesWarningListener): ResolvedSession | undefined => {
    const found = resolveSession(target, call, listener, keptIn(state))
    if (found !== undefined && tools) offeredTools(found.session, toolPrefix)
    return found
  }

  // LangChain passes a hook only the context that its middleware declares; the surrounding run has all of it.
  const findAround = ({ configurable }: Pick<AgentRequest['runtime'], 'configurable'>, state: unknown) =>
    find(callOf({ configurable }), state)

  const guarded = insideCall(warn)

  const findRunning = (config: unknown) => find(callOf(config), asRecord(config)['state'], warn)?.session
  const around = { findSession: findRunning, prefix: toolPrefix, systemMessageOf: notes.systemMessageOf, warn }
  const offered = tools ? toLangChainTools(baseOf(target).offerTools({ prefix: toolPrefix, projects }), around) : []

  // LangChain refuses such a run with a message that does not say what to do.
  const tellClash = (among: readonly unknown[]) => {
    const clash = offered.find((own) => among.some((tool) => tool !== own && asRecord(tool)['name'] === own.name))
    if (clash === undefined) return
    const message = `The agent has another tool called '${clash.name}', so LangChain refuses the run. Set toolPrefix, such as 'hermes_', or tools: false.`
    warn({ code: 'invalid-option', message })
  }

  // Each hook is a step of the agent's graph, which costs far more time than Hermes needs in it. With a single owner, the hook at the end
  // of the run is enough.
  const beforeAgent = (state: { readonly messages: readonly unknown[] }, runtime: AgentRequest['runtime']) =>
    guarded(async () => {
      const ownerKey = findAround(runtime, state)?.ownerKey
      return ownerKey === undefined ? undefined : withOwner(state, state.messages, ownerKey)
    })

  return createMiddleware({
    name: 'HermesMiddleware',
    stateSchema: agentStateSchema,
    tools: offered as readonly StructuredToolInterface[],
    ...(servesMany(target) ? { beforeAgent } : {}),

    async wrapModelCall(request, handler) {
      const step = await guarded(async () => {
        const found = find(callOf(request.runtime), request.state, warn)
        tellClash(request.tools)
        if (found === undefined) return undefined
        const { session } = found
        const isAsked = messageType(request.messages.at(-1)) === 'human'
        const thread = asText(asRecord(request.runtime.configurable)['thread_id'])
        const isNextRun = isAsked && thread !== '' && notes.threadOf(session) === thread
        const begun = await beginAgentStep(found, request satisfies AgentRequest, {
          reviewModel,
          reasoning: reasoningOf(session),
          isNextRun,
        })
        notes.begin(session, { systemMessage: request.systemMessage, beginsTurn: !begun.nested && isAsked, thread })
        return { ...begun, session }
      })
      if (step === undefined) return handler(request)
      const response = await handler({ ...request, ...(step.changes as Partial<typeof request>) })
      const shown = await guarded(() => {
        const scrubbed = step.scrubbed(response)
        const { reviewer, calledTools } = step.end(scrubbed)
        notes.end(step.session, reviewer, calledTools && !step.nested)
        return scrubbed
      })
      return shown ?? response
    },

    afterAgent: (state, runtime): Promise<AgentStateUpdate | undefined> =>
      guarded(async () => {
        const session = findAround(runtime, state)?.session
        // The turn around a nested run goes on.
        if (session === undefined || runsInsideTool(runtime.configurable)) return undefined
        const model = notes.reviewerOf(session)
        const systemMessage = notes.systemMessageOf(session)
        const prompt = toTurnMessages([...(systemMessage === undefined ? [] : [systemMessage]), ...state.messages])
        session.endStep({ prompt, turnFinished: true, calledTools: false, reply: [], ...(model === undefined ? {} : { model }) })
        const counts = notes.takeCounts(session)
        return isStateKept(runtime.configurable) ? withCounts(state, counts) : undefined
      }),
  })
}
