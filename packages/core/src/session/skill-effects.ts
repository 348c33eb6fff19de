/** Implements the agent's skill tools: reads the store, counts what is read, and asks the gate before every write. Loaded when one is first called. */
import type { SkillProposal } from '../proposal/review-proposal.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { bringBack, findUnused } from '../review/apply/bring-back.ts'
import type { DisposedProposal } from '../review/review-outcome.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { readSkillDocument } from '../skills/read-skill.ts'
import { findSimilarSkills } from '../skills/similar-skills.ts'
import { SKILL_FILE } from '../skills/skill-discovery.ts'
import type { SkillListEntry } from '../skills/skill-index.ts'
import { isSkillMissing } from '../skills/skill-lookup.ts'
import type { SkillOp } from '../skills/skill-op.ts'
import { isSharedFailure } from '../skills/skill-reader.ts'
import { readSkillRows } from '../skills/skill-row.ts'
import type { SkillFileView, SkillView } from '../skills/skill-view.ts'
import type { ListedSkills, SkillToolEffects, SkillWriteReply } from '../tools/skill-tool-effects.ts'
import type { ToolContext } from '../tools/tool-definition.ts'
import { isOwnText } from '../usage/usage-record.ts'
import type { LazySession } from './lazy-session.ts'
import type { SessionContext } from './session-context.ts'
import type { SkillCounts } from './tool-calls.ts'
import { AGENT_SCORE, notWritten, refused } from './tool-replies.ts'

/** Hides the operating system's message for an unreadable file, since it names machine paths that the model must not see. */
const describeProblem = (problem: HermesError): string => {
  const { message, cause, details } = problem
  if (isSharedFailure(problem)) return 'Some shared skills cannot be read, so they are left out. Tell the user.'
  if (cause === undefined) return message
  const place = details['sharedFrom'] === undefined ? '' : 'Among the shared skills, '
  return `${place}'${String(details['path'])}' cannot be read. Tell the user to check that file and its permissions.`
}

const sharedUnread = (): HermesError =>
  new HermesError('not_found', 'There is no skill of that name among those that can be read; some shared skills cannot be. Tell the user.')

const tooSlow = (): HermesError => new HermesError('timeout', 'The skills did not answer in time. Go on with the task.')

const NO_ANSWER: SkillWriteReply = {
  kind: 'refused',
  code: 'timeout',
  message: 'The skills did not answer in time, so it is not known whether this was saved. Go on with the task.',
}

/** `dispose`: asks the gate and writes. */
export const createSkillEffects = (
  context: SessionContext,
  open: LazySession,
  counts: SkillCounts,
  dispose: (proposal: SkillProposal, messages?: readonly TurnMessage[]) => Promise<Result<DisposedProposal>>,
): SkillToolEffects => {
  const { home, usage } = context
  if (!home.skills || !usage) throw new TypeError('The skills are switched off.')
  const { reader } = home.skills
  const inTime = <T>(operation: string, work: Promise<T>) => context.toolInTime(operation, work)

  const list = async (): Promise<Result<ListedSkills>> => {
    const listed = await readSkillRows(reader, usage)
    if (!listed.ok) return listed
    return ok({ skills: listed.value.skills, problems: listed.value.problems.map(describeProblem) })
  }

  /** False if it is not in the archive, or is there for another reason than that nobody used it. */
  const comesBack = async (name: string): Promise<boolean> => {
    const restored = await home.inOneUpdate('agent', async ({ skills, journal }) => {
      const unused = skills && (await findUnused(name, skills.store))
      return unused ? bringBack(unused, skills, journal, 'agent') : ok(undefined)
    })
    if (!restored.ok) context.failed('restore skill', restored.error)
    return restored.ok && restored.value !== undefined
  }

  const find = async (name: string, filePath?: string): Promise<Result<SkillView | SkillFileView>> => {
    const viewed = await reader.view(name, filePath)
    return !viewed.ok && isSkillMissing(viewed.error) && (await comesBack(name)) ? reader.view(name, filePath) : viewed
  }

  const view = async (name: string, filePath?: string): Promise<Result<SkillView | SkillFileView>> => {
    const viewed = (await inTime('skill_view tool', find(name, filePath))) ?? err(tooSlow())
    return !viewed.ok && isSharedFailure(viewed.error) ? err(sharedUnread()) : viewed
  }

  const noteShown = (view: SkillView | SkillFileView): void => {
    const { skill, isWhole } =
      'bytes' in view ? { skill: view.skill, isWhole: view.filePath === SKILL_FILE } : { skill: view, isWhole: true }
    // Shared skills have no usage record here; one of that name is for a skill of this home. Reading a support file is part of a use that was counted when the
    // skill was read.
    if (skill.sharedFrom === undefined) counts.count(skill.name, isWhole ? ['view', 'use'] : ['view'])
    open.whenReady((state) => state.noteSkills({ loadedSkill: skill.name }))
  }

  const isOwn = async (view: SkillView | SkillFileView): Promise<boolean> => {
    const { skill, filePath, content } = 'bytes' in view ? view : { skill: view, filePath: SKILL_FILE, content: view.content }
    return skill.sharedFrom === undefined && content !== undefined && isOwnText(await usage.get(skill.name), filePath, content)
  }

  /** What a refusal says of a skill may quote it. */
  const quotesOutside = async ({ action, name }: SkillOp): Promise<boolean> => {
    const viewed = action === 'create' ? undefined : await reader.view(name)
    return viewed?.ok === true && !(await isOwn(viewed.value))
  }

  /** If the skills cannot be listed, no similar ones are reported; the write itself then reports the error. */
  const similarTo = async (op: Extract<SkillOp, { readonly action: 'create' }>) => {
    const listed = await reader.list()
    if (!listed.ok) return []
    const { skills } = listed.value
    const hasName = ({ name, folderName }: SkillListEntry) => name === op.name || folderName === op.name
    // A name that is taken is refused for that reason, whatever else is similar. Using the name of a shared skill replaces it on purpose.
    if (skills.some((skill) => skill.sharedFrom === undefined && hasName(skill))) return []
    const read = await readSkillDocument(op.content, { folderName: op.name })
    if (!read.ok) return []
    const { description } = read.value
    const others = skills.filter((skill) => !hasName(skill))
    const shared = new Set(others.filter(({ sharedFrom }) => sharedFrom !== undefined).map(({ path }) => path))
    return findSimilarSkills({ name: op.name, description }, others).map((similar) => ({ ...similar, shared: shared.has(similar.path) }))
  }

  const manage = async (op: SkillOp, createAnyway: boolean, { messages, onOutside }: ToolContext): Promise<SkillWriteReply> => {
    if (op.action === 'create' && !createAnyway) {
      const similar = await similarTo(op)
      if (similar.length > 0) {
        return {
          kind: 'similar',
          skills: similar.map(({ name, description, path, shared }) => ({ name, description, path, ...(shared ? { shared } : {}) })),
        }
      }
    }
    const proposal: SkillProposal = { target: 'skill', op, rationale: 'The agent called its skill tool.', score: AGENT_SCORE }
    const disposed = await dispose(proposal, messages)
    const isWritten = disposed.ok && disposed.value.kind === 'applied'
    if (!isWritten && (await quotesOutside(op))) onOutside?.()
    if (!disposed.ok) return refused(disposed.error)
    if (disposed.value.kind !== 'applied') return notWritten(disposed.value)
    const { outcome } = disposed.value
    if (outcome.target !== 'skill') throw new TypeError('The change of a skill was treated as a change of memory.')
    counts.noteChanged(outcome.name)
    return { kind: 'applied', outcome }
  }

  return {
    list: async () => (await inTime('skills_list tool', list())) ?? err(tooSlow()),
    view,
    noteShown,
    isOwn,
    manage: async (op, { createAnyway }, context = {}) =>
      (await inTime('skill_manage tool', manage(op, createAnyway, context))) ?? NO_ANSWER,
  }
}
