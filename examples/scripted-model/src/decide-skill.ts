/** Lists the skills, reads the one that is named or that speaks of what is asked, and makes or archives one when told to. */
import { z } from 'zod'
import { billLesson } from './lesson.ts'
import { call, type Decider, type Scene, type ScriptedStep, say } from './scene.ts'
import { isQuestion } from './talk.ts'
import { SKILL_MANAGE_TOOL, SKILL_VIEW_TOOL, SKILLS_LIST_TOOL, workedSums } from './tool-calls.ts'
import { closestSkill } from './words.ts'

const LIST = /\b(?:what|which|list|show)\b.*\bskills\b/i
const READ =
  /\b(?:use|read|show|open|follow)\b.*?\bskill\s+["'`]?([a-z0-9](?:[a-z0-9._/-]*[a-z0-9])?)|\b(?:use|read|show|open|follow)\b.*?\b([a-z0-9](?:[a-z0-9._/-]*[a-z0-9])?)\s+skill\b/i
const MAX_LINES = 12

const listSchema = z.object({ skills: z.array(z.object({ name: z.string(), description: z.string() })) })

const bodyOf = (content: string): string => {
  const lines = content
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .trim()
    .split('\n')
  return lines.length <= MAX_LINES
    ? lines.join('\n')
    : `${lines.slice(0, MAX_LINES).join('\n')}\n… and ${lines.length - MAX_LINES} more lines`
}

const tellSkill = (name: string, content: string): ScriptedStep =>
  say(`My skill ${name} says:\n\n${bodyOf(content)}\n\nA real model would follow it now; I can only split bills by one.`)

const read = (scene: Scene, name: string): ScriptedStep => {
  const known = scene.skillTexts.get(name)
  if (known !== undefined) return tellSkill(name, known)
  const failed = scene.calls.find(({ toolName, success }) => toolName === SKILL_VIEW_TOOL && !success)
  return failed === undefined ? call(scene, SKILL_VIEW_TOOL, { name }) : say(`I could not read the skill ${name}: ${failed.problem}`)
}

const list = (scene: Scene): ScriptedStep => {
  const listed = scene.calls.findLast(({ toolName }) => toolName === SKILLS_LIST_TOOL)
  if (listed === undefined) return call(scene, SKILLS_LIST_TOOL, {})
  const skills = listSchema.safeParse(listed.output).data?.skills
  if (skills === undefined) return say(`I could not list my skills: ${listed.problem}`)
  if (skills.length === 0) return say('I have no skills yet. I learn one when you correct how I do a thing.')
  return say(`These are my skills:\n${skills.map(({ name, description }) => `- ${name}: ${description}`).join('\n')}`)
}

export const decideSkillStep: Decider = (scene) => {
  const { text, skills } = scene
  if (LIST.test(text)) return list(scene)
  const [, after, before] = READ.exec(text) ?? []
  const named = [after, before].find((name) => name !== undefined && skills.some((skill) => skill.name === name)) ?? after
  if (named !== undefined) return read(scene, named)
  const closest = isQuestion(text) ? undefined : closestSkill(text, skills)
  return closest && read(scene, closest.name)
}

const SAVE = /^(?:please\s+)?(?:save|keep|remember|learn|note|make)\b.*\b(?:a|as)\s+skill\b/i
const PUT_AWAY =
  /^(?:please\s+)?(?:forget|archive|remove|delete|put away)\s+(?:the\s+|your\s+)?(?:skill\s+([a-z0-9](?:[a-z0-9._/-]*[a-z0-9])?)|([a-z0-9](?:[a-z0-9._/-]*[a-z0-9])?)\s+skill)\W*$/i

const save = (scene: Scene): ScriptedStep => {
  const known = closestSkill('split a bill into shares', scene.skills)
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
