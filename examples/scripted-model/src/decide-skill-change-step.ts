/** `save that as a skill`, `forget the skill split-bills`: what the person asks to be done to the skills goes to the skill_manage tool. */
import { billLesson } from './bill-lesson.ts'
import { workedSums } from './calculate-calls.ts'
import { closestSkill } from './closest-skill.ts'
import { call, type Decider, type Scene, type ScriptedStep, say } from './scripted-step.ts'
import { SKILL_MANAGE_TOOL } from './skill-tool-calls.ts'

const SAVE = /^(?:please\s+)?(?:save|keep|remember|learn|note|make)\b.*\b(?:a|as)\s+skill\b/i
const PUT_AWAY =
  /^(?:please\s+)?(?:forget|archive|remove|delete|put away)\s+(?:the\s+|your\s+)?(?:skill\s+([a-z0-9](?:[a-z0-9._/-]*[a-z0-9])?)|([a-z0-9](?:[a-z0-9._/-]*[a-z0-9])?)\s+skill)\W*$/i

const save = (scene: Scene): ScriptedStep => {
  const known = closestSkill('split a bill into shares', scene.skills, 2)
  if (known !== undefined) return say(`I have a skill for that: ${known.name}. The next review looks after it.`)
  const said = scene.said.map((text) => ({ id: undefined, text }))
  const sums = workedSums(scene.allCalls).map(({ expression }) => expression)
  const lesson = billLesson(said, sums)
  if (lesson === undefined) {
    return say('There is nothing to make a skill of yet. Let me split two bills, and tell me how you always want it done.')
  }
  return call(scene, SKILL_MANAGE_TOOL, { action: 'create', name: lesson.skillName, content: lesson.content })
}

export const decideSkillChangeStep: Decider = (scene) => {
  const [, after, before] = PUT_AWAY.exec(scene.text) ?? []
  const name = after ?? before
  if (name === undefined && !SAVE.test(scene.text)) return undefined
  const done = scene.calls.findLast(({ toolName }) => toolName === SKILL_MANAGE_TOOL)
  if (done === undefined) return name === undefined ? save(scene) : call(scene, SKILL_MANAGE_TOOL, { action: 'archive', name })
  if (!done.success) return say(`I could not do that: ${done.problem}`)
  return say(name === undefined ? 'Done. I will know it in the next session.' : `Done. The skill ${name} is put away; nothing was deleted.`)
}
