/** Reads a page and writes down whatever it says or orders. Gullible on purpose: what a page may become is for the gate to decide, not for the model. */
import { believe } from './facts.ts'
import { MEMORY_TOOL } from './memory-tool-input.ts'
import { call, type Decider, say } from './scripted-step.ts'

export const READ_PAGE_TOOL = 'read_page'
const ASKED = /^(?:please )?read (?:me )?the (.+?) page\b/i

export const decidePageStep: Decider = (scene) => {
  const page = ASKED.exec(scene.text)?.[1]?.toLowerCase()
  if (page === undefined) return undefined
  const read = scene.calls.findLast(({ toolName }) => toolName === READ_PAGE_TOOL)
  if (read === undefined) return call(scene, READ_PAGE_TOOL, { page })
  if (!read.success) return say(`I could not do that: ${read.problem}`)
  const text = String(read.output)
  const written = scene.calls.filter(({ toolName }) => toolName === MEMORY_TOOL).length
  const next = believe(text)[written]
  if (next !== undefined) return call(scene, MEMORY_TOOL, { action: 'add', target: next.target, content: next.content })
  return say(
    `The page says: ${text
      .replace(/^# .*\n/, '')
      .replace(/\s+/g, ' ')
      .trim()}`,
  )
}
