/** The skills as shown to the reviewer: a line for each, and the full text of those that may be patched. */
import { cutEnd } from '../../../model/cut-text.ts'
import { fenced, looksLikeFence, neutralise } from '../../../model/data-fence.ts'

/** Ownership of a skill as shown to the reviewer; only `yours` may be changed. */
export type ShelfMark =
  | 'yours'
  | 'pinned by a person'
  | 'came with the product'
  | 'installed from a hub'
  | 'written by a person'
  | 'one of several of its name'
  | 'shared with others'

export interface ShelfSkill {
  readonly name: string
  readonly category: string | undefined
  readonly description: string
  readonly mark: ShelfMark
}

export interface FullSkill {
  readonly name: string
  /** The agent loaded it in this conversation. */
  readonly loaded: boolean
  /** The tool that failed in a turn that loaded the skill; undefined if none did. */
  readonly failedTool?: string | undefined
  /** The whole SKILL.md. */
  readonly content: string
  /** Paths of its support files. */
  readonly files: readonly string[]
}

const DESCRIPTION_CHARS = 100
const FILES_SHOWN = 30
const TOOL_CHARS = 60

export const describeShelfSkill = ({ name, category, description, mark }: ShelfSkill): string =>
  neutralise(`- ${mark} | ${category === undefined ? '' : `${category}/`}${name} | ${cutEnd(description, DESCRIPTION_CHARS)}`)

const describeFiles = (files: readonly string[]): string => {
  if (files.length === 0) return 'no support files'
  const more = files.length > FILES_SHOWN ? ` and ${files.length - FILES_SHOWN} more` : ''
  return `support files: ${files.slice(0, FILES_SHOWN).join(', ')}${more}`
}

/** A skill to patch is shown verbatim, so a text that the fence would alter cannot be shown. */
export const canBeShown = ({ content }: Pick<FullSkill, 'content'>): boolean => !looksLikeFence(content)

const describeFailure = (tool: string): string =>
  `loaded in a turn in which ${cutEnd(tool, TOOL_CHARS)} failed: if a step of it is why, patch that step; if not, leave it; `

export const describeFullSkill = ({ name, loaded, failedTool, content, files }: FullSkill): string => {
  const how = failedTool === undefined ? (loaded ? 'loaded in this conversation; ' : '') : describeFailure(failedTool)
  return `${neutralise(`${name} (${how}${describeFiles(files)})`)}:\n${fenced('skill-file', content)}`
}

const FULL_HEADING = 'In full, and letter for letter; no other text can be patched:'

/** Name of a skill that is listed without its description, so that no duplicate of it is proposed. */
export const describeNamedSkill = ({ name }: Pick<ShelfSkill, 'name'>): string => neutralise(name)

export interface LibraryParts {
  /** Results of `describeShelfSkill`, the most important first. */
  readonly lines: readonly string[]
  /** Results of `describeNamedSkill`. */
  readonly names: readonly string[]
  /** Number of skills that are neither listed nor named. */
  readonly leftOut: number
  /** Results of `describeFullSkill`. */
  readonly full: readonly string[]
}

export const describeLibrary = ({ lines, names, leftOut, full }: LibraryParts): string => {
  const others = names.length > 0 ? [`By name alone: ${names.join(', ')}`] : []
  const more = leftOut > 0 ? [`(${leftOut} more ${leftOut === 1 ? 'skill is' : 'skills are'} not listed)`] : []
  const listed = [...lines, ...others, ...more]
  const library = fenced('skill-library', listed.length === 0 ? '(empty)' : listed.join('\n'))
  return full.length === 0 ? library : `${library}\n${FULL_HEADING}\n${full.join('\n')}`
}
