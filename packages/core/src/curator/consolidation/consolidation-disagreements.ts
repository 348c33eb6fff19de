/** Where the model's words and the facts differ: what it said it would do, against what was done (reference skills-curator 14). Pure. */
import type { ConsolidationAnswer, SaidConsolidation } from './consolidation-answer.ts'
import type { Disagreement, HeldConsolidation, MergedSkill, RefusedConsolidation, SkillPutAway } from './consolidation-report.ts'

export interface ConsolidationFacts {
  readonly consolidated: readonly MergedSkill[]
  readonly pruned: readonly SkillPutAway[]
  readonly refused: readonly RefusedConsolidation[]
  readonly held: readonly HeldConsolidation[]
}

const whyNot = (name: string, into: string | undefined, { refused, held }: ConsolidationFacts): string => {
  const waiting = held.find((each) => each.into === into && each.names.includes(name))
  if (waiting) return `'${name}' waits: ${waiting.why}`
  const refusal = refused.find((each) => each.into === into && each.names.includes(name))
  return `'${name}' stays as it is. ${refusal?.why ?? ''}`.trim()
}

const ofConsolidation = ({ from, into, method }: SaidConsolidation, facts: ConsolidationFacts): Disagreement | undefined => {
  const said = `'${from}' goes into '${into}'${method ? ` (${method})` : ''}`
  const done = facts.consolidated.find((each) => each.name === from && each.into === into)
  if (!done) return { said, done: whyNot(from, into, facts) }
  if (done.missing.length > 0) {
    return { said, done: `The text of '${into}' leaves out ${done.missing.join('; ')}, so '${from}' was also kept whole beside it.` }
  }
  return method && method !== done.method ? { said, done: `'${from}' went into '${into}' (${done.method}).` } : undefined
}

/** In the order of the answer; what was done as it was said is not in it. */
export const findDisagreements = (
  { consolidations, prunings }: Pick<ConsolidationAnswer, 'consolidations' | 'prunings'>,
  facts: ConsolidationFacts,
): readonly Disagreement[] => [
  ...consolidations.flatMap((one) => ofConsolidation(one, facts) ?? []),
  ...prunings.flatMap(({ name }) =>
    facts.pruned.some((each) => each.name === name) ? [] : [{ said: `'${name}' is put away`, done: whyNot(name, undefined, facts) }],
  ),
]
