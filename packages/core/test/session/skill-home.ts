/** Helpers of the session tests for skills: a home whose gate approves everything, skills in it, and turns that use tools. */
import type { Hermes } from '../../src/hermes.ts'
import type { HermesOptions } from '../../src/hermes-options.ts'
import type { HostModel } from '../../src/model/host-model.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import type { Session } from '../../src/session/session.ts'
import { ok } from '../../src/shared/result.ts'
import { sha256OfText } from '../../src/shared/sha256.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { openHome, user } from './open-home.ts'

/** Approves everything, because these tests are not about the gate. */
export const yes: NonNullable<HermesOptions['gate']> = async () => ok({ approved: true, reason: 'yes', origin: 'user' })

export const openSkillHome = (storage: StorageBackend, options: Partial<HermesOptions> = {}) => openHome(storage, { gate: yes, ...options })

/** A session whose tools the host offers. */
export const offered = (hermes: Hermes, id = 'one'): Session => {
  const session = hermes.session(id)
  session.offerTools()
  return session
}

export const skillText = (name: string, body = '1. Build.\n2. Ship.', description = `How to ${name}`) =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`

/** Creates a skill, by default as the agent, out of own words. */
export const addSkill = async (storage: StorageBackend, name: string, { createdBy = 'agent', content = skillText(name) } = {}) => {
  const { hermes } = openHome(storage)
  const created = await hermes.skillStore().create({ name, content })
  if (!created.ok) throw created.error
  const own = createdBy === 'agent' ? { filePath: 'SKILL.md', digest: await sha256OfText(content) } : undefined
  const counted = await hermes.usageStore().record(name, 'create', { createdBy, own })
  if (!counted.ok) throw counted.error
}

export const readSkill = async (storage: StorageBackend, name: string): Promise<string | undefined> => {
  const viewed = await openHome(storage).hermes.skillStore().view(name)
  return viewed.ok ? viewed.value.content : undefined
}

export const proposal = (op: Readonly<Record<string, unknown>>) => ({ target: 'skill', op, rationale: 'said', score: 0.9, evidence: [] })

export const answer = (...proposals: readonly unknown[]) => JSON.stringify({ proposals })

/** One turn with a number of tool steps, of a host that passes only this turn. */
export const work = (session: Session, text: string, toolIterations: number, model?: HostModel) => {
  const messages: readonly TurnMessage[] = [user(text), { role: 'assistant', text: `did ${text}` }]
  session.recordTurn({ messages, toolIterations, ...(model ? { model } : {}) })
}

export const callTool = async (session: Session, name: string, input: unknown, messages: readonly TurnMessage[] = []) => {
  const tool = session.offerTools().find((each) => each.name === name)
  if (!tool) throw new Error(`No tool ${name}`)
  return tool.execute(input, { messages })
}
