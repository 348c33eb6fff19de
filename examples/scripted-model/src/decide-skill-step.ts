/** Skills: lists them, reads one out when asked, and reads the one that speaks of what is asked before it answers. */
import { z } from 'zod'
import { isQuestion } from './answer-question.ts'
import { closestSkill } from './closest-skill.ts'
import { call, type Decider, type Scene, type ScriptedStep, say } from './scripted-step.ts'
import { SKILL_VIEW_TOOL, SKILLS_LIST_TOOL } from './skill-tool-calls.ts'

const LIST = /\b(?:what|which|list|show)\b.*\bskills\b/i
const READ =
  /\b(?:use|read|show|open|follow)\b.*?\bskill\s+["'`]?([a-z0-9](?:[a-z0-9._/-]*[a-z0-9])?)|\b(?:use|read|show|open|follow)\b.*?\b([a-z0-9](?:[a-z0-9._/-]*[a-z0-9])?)\s+skill\b/i
/** What is asked must share so many words with a skill before the stand-in reads it unasked. */
const ALIKE = 2
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
  const closest = isQuestion(text) ? undefined : closestSkill(text, skills, ALIKE)
  return closest && read(scene, closest.name)
}
