/** Proposals that the agent or the host makes during the conversation: gate → apply → journal, and the agent's tools that use them. */
import type { ReviewGate } from '../gate/review-gate.ts'
import type { Journal } from '../journal/journal.ts'
import type { Pending } from '../journal/pending.ts'
import { MEMORY_TARGETS, type MemoryOp, type MemoryTarget } from '../memory/memory-op.ts'
import type { MemoryStore } from '../memory/memory-store.ts'
import { ownOf, withoutOutside } from '../memory/own-refusal.ts'
import type { MemoryProposal, ReviewProposal } from '../proposal/review-proposal.ts'
import { holdsOutsideText, stampTranscript } from '../proposal/stamp-transcript.ts'
import { withOutsideOf } from '../proposal/system-context.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { ProviderConnection } from '../provider/provider-connection.ts'
import type { DisposeDeps, SkillDisposeDeps } from '../review/apply/dispose-deps.ts'
import type { DisposedGroup } from '../review/apply/dispose-proposal.ts'
import type { DisposedProposal } from '../review/review-outcome.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { lateVerbs, loadOnce, withLate } from '../shared/load-late.ts'
import { readOnce } from '../shared/read-once.ts'
import { ok, type Result } from '../shared/result.ts'
import { type MemoryWriteReply, memoryTool } from '../tools/memory-tool.ts'
import { skillListTool } from '../tools/skill-list-tool.ts'
import { skillManageTool } from '../tools/skill-manage-tool.ts'
import type { SkillToolEffects } from '../tools/skill-tool-effects.ts'
import { skillViewTool } from '../tools/skill-view-tool.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import { guardTool, type ToolGuards, type ToolNotes, toldTool } from './guard-tool.ts'
import { providerTools } from './provider-tools.ts'
import type { ToolOffer } from './session.ts'
import type { SkillEffectDeps } from './skill-effects.ts'
import { AGENT_SCORE, notWritten, refused } from './tool-replies.ts'

/** `skills_list`, `skill_view`, `skill_manage`, in the order in which they are offered to a model. */
export const skillTools = (effects: SkillToolEffects): readonly ToolDefinition[] => [
  skillListTool(effects),
  skillViewTool(effects),
  skillManageTool(effects),
]

export interface SubmissionDeps extends ToolGuards, ToolNotes {
  readonly gate: ReviewGate
  readonly store: MemoryStore
  /** Undefined if skills are switched off: then there are no skill tools and no changes to skills. */
  readonly skills: (SkillDisposeDeps & Pick<SkillEffectDeps, 'reader' | 'count' | 'noteLoaded' | 'noteChanged'>) | undefined
  /** The storage's answer, if it arrives while a turn may wait for it; otherwise `undefined`, and an event. */
  readonly inTime: <T>(operation: string, work: Promise<T>) => Promise<T | undefined>
  readonly journal: Journal
  readonly pending: Pending
  /** The model of the current step, as the provider names it. */
  readonly modelId: () => string | undefined
  /** See `OwnWords.prove`. */
  readonly prove: (messages: readonly TurnMessage[], opens: boolean) => Promise<readonly TurnMessage[]>
  /** The current turn; undefined if the host reports turns only after they end. */
  readonly openTurn: () => readonly TurnMessage[] | undefined
  /** Undefined without an external memory provider. */
  readonly provider: Pick<ProviderConnection, 'tools' | 'callTool'> | undefined
  /** True if text from outside was in sight in this session before now. */
  readonly isTainted: () => Promise<boolean>
  readonly onFailure: (error: HermesError, operation: string) => void
}

export interface Submissions {
  submit(proposal: ReviewProposal, messages?: readonly TurnMessage[]): Promise<Result<DisposedProposal>>
  /** See `Session.offerTools`. */
  offer(offer?: ToolOffer): readonly ToolDefinition[]
  /**
   * The name under which the agent calls a tool: its own name, unless every offer had a prefix; then the name of the first offer. Undefined if the host has
   * not offered the tool.
   */
  nameOf(tool: string): string | undefined
}

const WRITING = 'The code that writes'
const loadWriting = () => import('../review/apply/dispose-proposal.ts')

/** Checks the proposal, asks the gate and writes. The code is loaded with the first proposal. */
const dispose = (proposal: ReviewProposal, deps: DisposeDeps): Promise<Result<DisposedProposal>> =>
  withLate(WRITING, loadWriting, ({ disposeProposal }) => disposeProposal(proposal, deps))

const disposeSubmitted = (proposal: unknown, deps: DisposeDeps): Promise<Result<DisposedProposal>> =>
  withLate(WRITING, loadWriting, (writing) => writing.disposeSubmitted(proposal, deps))

const disposeTogether = (proposals: readonly MemoryProposal[], deps: DisposeDeps): Promise<Result<DisposedGroup>> =>
  withLate(WRITING, loadWriting, ({ disposeGroup }) => disposeGroup(proposals, deps))

const SKILL_TOOLS = 'The code of the skill tools'

const lateSkillEffects = (deps: SkillEffectDeps): SkillToolEffects => {
  let effects: SkillToolEffects | undefined
  const load = loadOnce(async () => {
    effects = (await import('./skill-effects.ts')).createSkillEffects(deps)
    return effects
  })
  const late = lateVerbs(SKILL_TOOLS, load)
  return {
    list: late(({ list }) => list),
    view: late(({ view }) => view),
    // Follows a view.
    noteShown: (view) => effects?.noteShown(view),
    isOwn: async (view) => (await effects?.isOwn(view)) === true,
    async manage(...given) {
      const reply = await withLate(SKILL_TOOLS, load, async ({ manage }) => ok(await manage(...given)))
      return reply.ok ? reply.value : refused(reply.error)
    },
  }
}

const NO_ANSWER: MemoryWriteReply = {
  kind: 'refused',
  code: 'timeout',
  message: 'Memory did not answer in time, so it is not known whether this was saved. Go on with the task.',
}

/** The session has marked the results of trusted tools. */
const NO_NAMES: ReadonlySet<string> = new Set()

export const createSubmissions = (deps: SubmissionDeps): Submissions => {
  const { sessionId, gate, store, skills, journal, pending, onFailure } = deps

  const disposeDeps = (actor: 'agent' | 'host', messages: readonly TurnMessage[] | undefined): DisposeDeps => {
    // Without the turn, the words cannot be attributed: with an empty transcript, the gate holds what it cannot trace.
    const openTurn = deps.openTurn()
    const seen = messages === undefined ? (openTurn ?? []) : withOutsideOf(messages, openTurn ?? [])
    const stamp = async () => {
      const [tainted, proven, open] = await Promise.all([
        deps.isTainted(),
        deps.prove(seen, openTurn === undefined),
        deps.prove(openTurn ?? [], false),
      ])
      const transcript = stampTranscript(proven, NO_NAMES, { tainted })
      const isOutside = tainted || holdsOutsideText(transcript) || holdsOutsideText(stampTranscript(open, NO_NAMES))
      return { transcript, sight: isOutside ? ('outside' as const) : ('own' as const) }
    }
    let stamped: ReturnType<typeof stamp> | undefined
    const context = async () => {
      stamped ??= stamp()
      const { transcript, sight } = await stamped
      return { transcript, sight, unattended: false }
    }
    const model = actor === 'agent' ? { model: deps.modelId } : {}
    return { gate, store, ...(skills ? { skills } : {}), journal, pending, sessionId, actor, ...model, onFailure, context }
  }

  const write = async (target: MemoryTarget, ops: readonly MemoryOp[], messages?: readonly TurnMessage[]): Promise<MemoryWriteReply> => {
    const proposals = ops.map((op): MemoryProposal => ({ target, op, rationale: 'The agent called its memory tool.', score: AGENT_SCORE }))
    const [only, ...more] = proposals
    const how = disposeDeps('agent', messages)
    // The change may remove what it replaces.
    const origins = new Map(store.origins(target))
    const shownOf = (error: HermesError) => withoutOutside(target, error, new Map([...origins, ...store.origins(target)]))
    // The rules for a batch are stricter, so a single operation is not sent as a batch.
    const disposed = only === undefined || more.length > 0 ? await disposeTogether(proposals, how) : await dispose(only, how)
    if (!disposed.ok) return refused(shownOf(disposed.error))
    if (disposed.value.kind === 'failed') return refused(shownOf(disposed.value.error))
    if (disposed.value.kind !== 'applied') return notWritten(disposed.value)
    const { outcome } = disposed.value
    if (outcome.target === 'skill') throw new TypeError('A change of memory was treated as a change of a skill.')
    return { kind: 'applied', outcome: { ...outcome, previous: ownOf(outcome.previous, origins) } }
  }

  const effects =
    skills &&
    lateSkillEffects({
      ...skills,
      inTime: deps.inTime,
      dispose: (proposal, messages) => dispose(proposal, disposeDeps('agent', messages)),
    })

  // Built with the first offer: their schemas take time to build.
  const tools = readOnce((): readonly ToolDefinition[] => {
    const memory = memoryTool({
      write: async (target, ops, context) => (await deps.inTime('memory tool', write(target, ops, context?.messages))) ?? NO_ANSWER,
      targets: MEMORY_TARGETS.filter((target) => store.isEnabled(target)),
    })
    return [...(memory ? [memory] : []), ...(effects ? skillTools(effects) : [])]
  })
  const { provider } = deps
  const outsideTools = readOnce(() => (provider ? providerTools({ provider, sessionId }) : []))
  const offeredAs = new Map<string, string>()
  return {
    nameOf: (tool) => offeredAs.get(tool),
    submit: (proposal, messages) => disposeSubmitted(proposal, disposeDeps('host', messages)),
    offer: ({ prefix = '', only } = {}) => {
      const isOffered = ({ name }: ToolDefinition) => only === undefined || only.includes(name)
      const own = tools.read().filter(isOffered)
      for (const tool of own) {
        const name = `${prefix}${tool.name}`
        if (prefix === '' || !offeredAs.has(tool.name)) offeredAs.set(tool.name, name)
      }
      const offered = [...own.map((tool) => toldTool(tool, deps)), ...outsideTools.read().filter(isOffered)]
      return offered.map((tool) => guardTool({ ...tool, name: `${prefix}${tool.name}` }, deps))
    },
  }
}
