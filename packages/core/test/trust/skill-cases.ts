/**
 * Changes of skills with the conversations they come from: what a reviewer or the agent proposes, and the expected outcome under the
 * default trust.
 */
import type { Evidence } from '../../src/proposal/review-proposal.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import type { SkillOp } from '../../src/skills/skill-op.ts'

export interface SkillCase {
  readonly name: string
  readonly say: readonly TurnMessage[]
  readonly op: SkillOp
  readonly evidence?: readonly Evidence[]
  /** The current text of the file. */
  readonly current?: string
  /** The agent's own call while the user is present. */
  readonly attended?: boolean
  readonly trustedTools?: readonly string[]
  /** Notes in memory that came from outside. */
  readonly notes?: readonly string[]
}

export const user = (text: string): TurnMessage => ({ role: 'user', text })
export const agent = (text: string): TurnMessage => ({ role: 'assistant', text })
export const tool = (text: string, name = 'fetch'): TurnMessage => ({ role: 'tool', text, toolNames: [name] })
export const file = (text: string): TurnMessage => ({ role: 'user', text, outside: true })
export const quote = (messageId: string, text: string): readonly Evidence[] => [{ messageId, quote: text }]

export const skillText = (name: string, description: string, ...body: readonly string[]): string =>
  ['---', `name: ${name}`, `description: ${description}`, '---', '', ...body, ''].join('\n')

export const create = (name: string, description: string, ...body: readonly string[]): SkillOp => ({
  action: 'create',
  name,
  content: skillText(name, description, ...body),
})
export const patch = (name: string, oldText: string, newText: string, filePath?: string): SkillOp => ({
  action: 'patch',
  name,
  oldText,
  newText,
  filePath,
})
export const writeFile = (name: string, filePath: string, content: string): SkillOp => ({ action: 'write_file', name, filePath, content })

export const skillCase = (
  name: string,
  say: readonly TurnMessage[],
  op: SkillOp,
  more: Omit<SkillCase, 'name' | 'say' | 'op'> = {},
): SkillCase => ({
  name,
  say,
  op,
  ...more,
})

/** A result that is unrelated to the proposal. */
export const unrelated = tool('src/index.ts package.json README.md node_modules pnpm-lock.yaml', 'ls')
