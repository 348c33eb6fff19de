/** Proposals that the agent or the host makes during the conversation: gate → apply → journal, and the agent's tools that use them. */
import type { EntryFacts, MemoryOp, MemoryTarget } from '../memory/memory-op.ts'
import type { LearningCost } from '../model/learning-cost.ts'
import type { MemoryProposal, ReviewProposal, SkillProposal } from '../proposal/review-proposal.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { Disposal } from '../review/apply/disposal.ts'
import type { DisposalOptions } from '../review/apply/disposal-options.ts'
import type { DisposedProposal } from '../review/review-outcome.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { textsIn } from '../shared/json-texts.ts'
import { lazyVerbs, loadOnce, withLazy } from '../shared/lazy.ts'
import { readOnce } from '../shared/read-once.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { memoryFileTool } from '../tools/memory-file-tool.ts'
import type { MemoryWriteReply } from '../tools/memory-reply.ts'
import { memoryTool, TOOL_TARGETS, type ToolTarget } from '../tools/memory-tool.ts'
import type { SkillToolEffects } from '../tools/skill-tool-effects.ts'
import { skillListTool, skillManageTool, skillViewTool } from '../tools/skill-tools.ts'
import type { ToolContext, ToolDefinition } from '../tools/tool-definition.ts'
import { asOutside, CallWords } from './call-words.ts'
import type { LazySession } from './lazy-session.ts'
import { providerTools } from './provider-tools.ts'
import type { ToolOffer } from './session.ts'
import type { SessionContext } from './session-context.ts'
import type { createSkillEffects } from './skill-effects.ts'
import { guardTool, notedTool, type SkillCounts } from './tool-calls.ts'
import { AGENT_SCORE, notWritten, refused } from './tool-replies.ts'

/** `skills_list`, `skill_view`, `skill_manage`, in the order in which they are offered to a model. */
export const skillTools = (effects: SkillToolEffects): readonly ToolDefinition[] => [
  skillListTool(effects),
  skillViewTool(effects),
  skillManageTool(effects),
]

/** What checks a proposal, asks the gate and writes. */
const loadWriting = async () => ({
  ...(await import('../review/apply/disposal.ts')),
  ...(await import('../review/apply/dispose-proposal.ts')),
  ...(await import('../evaluation/evaluation.ts')),
  ...(await import('../model/add-costs.ts')),
})
type Writing = Awaited<ReturnType<typeof loadWriting>>

const SKILL_TOOLS = 'The code of the skill tools'

const lateSkillEffects = (...parts: Parameters<typeof createSkillEffects>): SkillToolEffects => {
  let effects: SkillToolEffects | undefined
  const load = loadOnce(async () => {
    effects = (await import('./skill-effects.ts')).createSkillEffects(...parts)
    return effects
  })
  return {
    ...lazyVerbs(SKILL_TOOLS, load, 'list', 'view'),
    // Follows a view.
    noteShown: (view) => effects?.noteShown(view),
    isOwn: async (view) => (await effects?.isOwn(view)) === true,
    async manage(...given) {
      const reply = await withLazy(SKILL_TOOLS, load, async ({ manage }) => ok(await manage(...given)))
      return reply.ok ? reply.value : refused(reply.error)
    },
  }
}

const NO_ANSWER = {
  kind: 'refused',
  code: 'timeout',
  message: 'Memory did not answer in time, so it is not known whether this was saved. Go on with the task.',
} as const satisfies MemoryWriteReply

const NOT_RECALLED = { success: false, error: 'Earlier conversations cannot be looked up in this session. Go on without them.' }

/** A proposal of the host, or a call of the agent's tool. */
interface ToolCall {
  readonly messages: readonly TurnMessage[] | undefined
  /** What the call asks for. */
  readonly said?: readonly ReviewProposal[]
}

export class SessionTools {
  readonly #context: SessionContext
  readonly #open: LazySession
  readonly #effects: SkillToolEffects | undefined
  readonly #words: CallWords
  // Built with the first offer: their schemas take time to build.
  readonly #own = readOnce(() => this.#ownTools())
  // The same in every session: whether the provider serves its project may not be known yet.
  readonly #provided = readOnce(() => providerTools(this.#context.home.provider?.tools ?? [], (...given) => this.#callProvider(...given)))

  constructor(context: SessionContext, open: LazySession, counts: SkillCounts) {
    this.#context = context
    this.#open = open
    this.#words = new CallWords(context, open)
    const dispose = (proposal: SkillProposal, messages?: readonly TurnMessage[]) =>
      this.#dispose('agent', { messages, said: [proposal] }, (code, how) => code.disposeProposal(proposal, how))
    this.#effects = context.usage && lateSkillEffects(context, open, counts, dispose)
  }

  /** See `Session.submit`. */
  submit(proposal: ReviewProposal, messages?: readonly TurnMessage[]): Promise<Result<DisposedProposal>> {
    return this.#dispose('host', { messages }, (code, disposal) => code.disposeSubmitted(proposal, disposal))
  }

  /** See `Session.offerTools`. */
  offer({ prefix = '', only, form }: ToolOffer = {}): readonly ToolDefinition[] {
    const { offeredAs } = this.#context
    const isOffered = ({ name }: ToolDefinition) => only === undefined || only.includes(name)
    const own = (form === 'files' ? [memoryFileTool((...call) => this.#runFiles(...call))] : this.#own.read()).filter(isOffered)
    for (const tool of own) {
      const name = `${prefix}${tool.name}`
      if (prefix === '' || !offeredAs.has(tool.name)) offeredAs.set(tool.name, name)
    }
    const provided = form === 'files' ? [] : this.#provided.read().filter(isOffered)
    const offered = [...own.map((tool) => notedTool(tool, this.#open, (messages) => this.#words.holdOutside(messages))), ...provided]
    return offered.map((tool) => guardTool({ ...tool, name: `${prefix}${tool.name}` }, this.#context))
  }

  #runFiles(input: unknown, call?: ToolContext): Promise<Result<string>> {
    return withLazy(
      'The code of the memory tool',
      () => import('../tools/memory-files/memory-files.ts'),
      ({ MemoryFiles }) => {
        const stores = {
          // Its project is known once the session is open.
          targets: () => this.#open.ready().then(() => this.#targets()),
          read: (target: MemoryTarget) => this.#readStore(target),
          write: (target: MemoryTarget, ops: readonly MemoryOp[], about?: ToolContext) => this.#writeInTime(target, ops, about),
        }
        return new MemoryFiles(stores, this.#effects).run(input, call)
      },
    )
  }

  async #readStore(target: MemoryTarget): Promise<Result<readonly EntryFacts[]>> {
    const { memory } = this.#context
    return (await this.#context.toolInTime('memory tool', memory.facts(target))) ?? err(new HermesError('timeout', NO_ANSWER.message))
  }

  #targets(): readonly ToolTarget[] {
    const { memory } = this.#context
    return TOOL_TARGETS.filter((target) => (target !== 'project' || memory.project !== undefined) && memory.isEnabled(target))
  }

  async #writeInTime(target: MemoryTarget, ops: readonly MemoryOp[], call?: ToolContext): Promise<MemoryWriteReply> {
    return (await this.#context.toolInTime('memory tool', this.#write(target, ops, call?.messages))) ?? NO_ANSWER
  }

  async #callProvider(name: string, input: unknown): Promise<Readonly<Record<string, unknown>>> {
    const provider = await this.#open.provider()
    return provider?.callTool({ name, input, ...this.#context.place }) ?? NOT_RECALLED
  }

  #ownTools(): readonly ToolDefinition[] {
    const tool = memoryTool({ write: (...call) => this.#writeInTime(...call), targets: this.#targets() })
    return [...(tool ? [tool] : []), ...(this.#effects ? skillTools(this.#effects) : [])]
  }

  /** In one update; the session's own store shows it once it is written. What fails is in the journal too. */
  async #dispose<T>(
    actor: 'agent' | 'host',
    call: ToolCall,
    use: (code: Writing, disposal: Disposal) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    // Its project is known once the session is open.
    await this.#open.ready()
    const { home, memory, misplaced } = this.#context
    if (misplaced) return err(new HermesError('invalid', misplaced))
    const how = this.#disposalOptions(actor, call)
    const costs: LearningCost[] = []
    let show = () => {}
    const disposed = await withLazy('The code that writes', loadWriting, (code) =>
      home.inOneUpdate(actor, async ({ createMemoryStore, skills, journal, pending }) => {
        const store = createMemoryStore((error) => how.onFailure?.(error, 'memory'), memory.project)
        show = store.standsFor(memory)
        // The host's own proposals are not evaluated.
        const evaluate =
          actor === 'agent'
            ? code.evaluationBy(home.skills?.evaluation, {
                model: home.options.review.model,
                clock: home.clock,
                onCost: (cost) => costs.push(cost),
              })
            : undefined
        return ok(
          await use(code, new code.Disposal({ ...how, evaluate, spent: () => code.addCosts(costs), store, journal, pending, skills })),
        )
      }),
    )
    if (!disposed.ok) return disposed
    show()
    return disposed.value
  }

  #disposalOptions(actor: 'agent' | 'host', { messages, said = [] }: ToolCall): Omit<DisposalOptions, 'store'> {
    const { home, id, openTurn } = this.#context
    const seen = this.#words.seen(messages)
    // A server of tools shows no conversation: whoever's words the call holds, they are text from outside.
    const text = seen.length === 0 ? said.flatMap(({ op: { action: _, ...texts } }) => textsIn(texts)).join('\n') : ''
    const context = readOnce(async () => (text === '' ? this.#words.stamp(seen, openTurn) : asOutside(text)))
    return {
      gate: home.gate,
      answers: { verdicts: new Map(), evaluations: new Map() },
      sessionId: id,
      actor,
      ...(actor === 'agent' ? { model: () => this.#context.modelId } : {}),
      onFailure: (error, operation) => this.#context.failed(operation, error),
      context: () => context.read(),
    }
  }

  async #write(target: MemoryTarget, ops: readonly MemoryOp[], messages?: readonly TurnMessage[]): Promise<MemoryWriteReply> {
    await this.#open.ready()
    const { memory } = this.#context
    const { ownOf, withoutOutside } = await import('../memory/memory-refusal.ts')
    const proposals = ops.map((op): MemoryProposal => ({ target, op, rationale: 'The agent called its memory tool.', score: AGENT_SCORE }))
    const [only, ...more] = proposals
    // The frozen text may have been taken without reading the entries; and the change may remove what it replaces.
    await memory.current(target)
    const origins = new Map(memory.origins(target))
    const shownOf = (error: HermesError) => withoutOutside(target, error, new Map([...origins, ...memory.origins(target)]))
    // The rules for a batch are stricter, so a single operation is not sent as a batch.
    const disposed = await this.#dispose('agent', { messages, said: proposals }, async (code, disposal) => {
      if (only !== undefined && more.length === 0) return code.disposeProposal(only, disposal)
      const group = await code.disposeGroup(proposals, disposal)
      return group.ok ? ok(group.value[0]) : group
    })
    if (!disposed.ok) return refused(shownOf(disposed.error))
    if (disposed.value.kind === 'failed') return refused(shownOf(disposed.value.error))
    if (disposed.value.kind !== 'applied') return notWritten(disposed.value)
    const { outcome } = disposed.value
    if (outcome.target === 'skill') throw new TypeError('A change of memory was treated as a change of a skill.')
    return { kind: 'applied', outcome: { ...outcome, previous: ownOf(outcome.previous, origins) } }
  }
}
