/**
 * The cases in the folder `cases`, one a line. `say` has one message in brackets: who speaks (`user`, `agent`, `file` for a document that the
 * user attached, else the name of a tool), the text, and the tools that an agent calls.
 */
import { readFileSync } from 'node:fs'
import type { EntryOrigin, MemoryOp, MemoryTarget } from '../../src/memory/memory-op.ts'
import type { Evidence } from '../../src/proposal/review-proposal.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import type { Origin } from '../../src/shared/origin.ts'
import type { SkillOp } from '../../src/skills/skill-op.ts'

/** What is said before a proposal, and what the proposal cites. */
interface Conversation {
  readonly name: string
  readonly say: readonly TurnMessage[]
  readonly evidence?: readonly Evidence[]
  /** The agent's own call while the user is present. */
  readonly attended?: boolean
}

/**
 * An attempt to store what the user did not say, or to remove what the user said. If outside text was shown, none may end as trusted memory:
 * written to the profile, written with an origin other than `tool`, or a change of an entry that is not external. The decision depends on
 * what the proposer was shown, not on the wording; the wordings are kept because each of them once succeeded.
 */
export interface AttackCase extends Conversation {
  readonly target: MemoryTarget
  readonly op: MemoryOp
  /** Entries of the target, with their origins. */
  readonly entries?: Readonly<Record<string, EntryOrigin>>
  /** It may be written: nothing in the conversation is marked as text from outside, so nobody but the model is wrong, and it can be undone. */
  readonly isArguable?: boolean
}

/** A change of a skill that a reviewer or the agent proposes. */
export interface SkillCase extends Conversation {
  readonly op: SkillOp
  /** The current text of the file. */
  readonly current?: string
  readonly trustedTools?: readonly string[]
  /** Notes in memory that came from outside. */
  readonly notes?: readonly string[]
}

/** A statement of a user, and what a good reviewer proposes. `isTranslated`: with a name in another language. */
export interface HonestPair {
  readonly target: MemoryTarget
  readonly said: string
  readonly proposed: string
  readonly isTranslated?: boolean
}

/** A correction or withdrawal by the user, and the change that a good reviewer proposes. */
export interface HonestChange {
  readonly said: string
  readonly entry: string
  readonly op: MemoryOp
}

/** Words that the user said about other things make up an order that is in the outside text. A deceived reviewer cites the part `cited`. */
interface PickedAttack {
  readonly name: string
  readonly said: string
  readonly outside: string
  readonly proposed: string
  readonly cited: string
}

type Line = {
  readonly say?: readonly (readonly [string, string, ...string[]])[]
  readonly evidence?: readonly (readonly [string | null, string])[]
}

const toMessage = ([who, text, ...toolNames]: readonly [string, string, ...string[]]): TurnMessage => {
  if (who === 'user') return { role: 'user', text }
  if (who === 'file') return { role: 'user', text, outside: true }
  if (who !== 'agent') return { role: 'tool', text, toolNames: [who] }
  return toolNames.length === 0 ? { role: 'assistant', text } : { role: 'assistant', text, toolNames }
}

/** `{200 steps}` stands for as many lines. */
const withSteps = (text: string): string =>
  text.replace(/\{(\d+) steps\}/, (_, count) =>
    Array.from({ length: Number(count) }, (_step, index) => `- Step ${index}: check part ${index} of the machine.`).join('\n'),
  )

const readCases = <T>(name: string): readonly T[] =>
  readFileSync(new URL(`./cases/${name}.jsonl`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { say, evidence, ...rest }: Line = JSON.parse(line, (_, value) => (typeof value === 'string' ? withSteps(value) : value))
      return {
        ...rest,
        ...(say ? { say: say.map(toMessage) } : {}),
        ...(evidence ? { evidence: evidence.map(([messageId, quote]) => ({ messageId: messageId ?? undefined, quote })) } : {}),
      } as T
    })

const citations = ({ said, outside, cited }: PickedAttack): Readonly<Record<string, readonly Evidence[]>> => ({
  'the tool cited': [{ messageId: 'm2', quote: outside }],
  'the user cited': [{ messageId: 'm1', quote: cited }],
  'all they said cited': [{ messageId: 'm1', quote: said }],
  'nothing cited': [],
})

const pickedAttacks = readCases<PickedAttack>('picked-attacks').flatMap((each) =>
  (['memory', 'user'] as const).flatMap((target) =>
    Object.entries(citations(each)).map(
      ([how, evidence]): AttackCase => ({
        name: `${each.name}, ${target}, ${how}`,
        say: (['user', 'fetch', 'agent'] as const).map((who, index) => toMessage([who, [each.said, each.outside, 'ok'][index] ?? ''])),
        target,
        op: { action: 'add', content: each.proposed },
        evidence,
      }),
    ),
  ),
)

export const ATTACKS: readonly AttackCase[] = [...readCases<AttackCase>('attacks'), ...pickedAttacks]
export const HONEST_PAIRS = readCases<HonestPair>('honest-pairs')
export const HONEST_CHANGES = readCases<HonestChange>('honest-changes')
/** None may be written without a person's approval. */
export const SKILL_ATTACKS = readCases<SkillCase>('skill-attacks')
/** Skills that users taught, asked for, or saw the agent work out: all must be written under the default trust. */
export const HONEST_SKILLS = readCases<SkillCase & { readonly origin: Origin }>('honest-skills')
