/** Splits a bill by the skill that speaks of it, if there is one, and by the rules the person laid down; one sum after the other. */
import { type Bill, describeShares, nextBillSum, readBill, standingRules, toShareRule } from './bills.ts'
import { call, type Decider, type Scene, say } from './scene.ts'
import { CALCULATE_TOOL, SKILL_VIEW_TOOL, sumProblem, workedSums } from './tool-calls.ts'
import { closestSkill } from './words.ts'

/** The bill that is asked for; after a new rule about it, the last one once more. */
const billOf = ({ text, said }: Scene): Bill | undefined => {
  const asked = readBill(text)
  if (asked !== undefined || standingRules(text).length === 0) return asked
  const before = said.slice(0, -1).findLast((line) => readBill(line) !== undefined)
  return before !== undefined && /\b(?:round|share|total|tip|split|bill)/i.test(text) ? readBill(before) : undefined
}

export const decideBillStep: Decider = (scene) => {
  const bill = billOf(scene)
  if (bill === undefined) return undefined
  const { calls, said, skills, skillTexts } = scene

  const skill = closestSkill('split a bill into shares', skills)
  const tried = calls.some(({ toolName }) => toolName === SKILL_VIEW_TOOL)
  if (skill !== undefined && !skillTexts.has(skill.name) && !tried) return call(scene, SKILL_VIEW_TOOL, { name: skill.name })
  const instructions = skill && skillTexts.get(skill.name)

  const problem = sumProblem(calls)
  if (problem !== undefined) return say(`I could not work that out: ${problem}`)
  const results = workedSums(calls).map(({ result }) => result)
  // What the person says today comes after what was learned.
  const rule = toShareRule([...standingRules((instructions ?? '').replaceAll(/^\s*[-*]\s+/gm, '')), ...said.flatMap(standingRules)])
  const sum = nextBillSum(bill, rule, results)
  if (sum !== undefined) return call(scene, CALCULATE_TOOL, { expression: sum })
  const bySkill = instructions === undefined ? '' : `By my skill ${skill?.name}: `
  const shares = describeShares(bill, rule, results)
  return say(bySkill === '' ? shares : bySkill + shares.slice(0, 1).toLowerCase() + shares.slice(1))
}
