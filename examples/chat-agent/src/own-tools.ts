/** The agent's own tools, and which of them Hermes may trust. */
import type { Clock } from '@hermes/core'
import { calculateTool } from './calculate-tool.ts'
import { currentTimeTool } from './current-time-tool.ts'
import { readPageTool } from './read-page-tool.ts'

export const ownTools = (clock?: Clock) => ({ calculate: calculateTool, current_time: currentTimeTool(clock), read_page: readPageTool })

/**
 * For `trustedTools`: what these answer was worked out here from what the agent asked, so it counts as the agent's own work. A tool that reads
 * files, mail or the web, such as `read_page`, must never be listed here: what it returns is somebody else's text, and a rule in it would be learned as
 * if the agent had found it out itself.
 */
export const TRUSTED_TOOLS: readonly string[] = ['calculate', 'current_time'] satisfies readonly (keyof ReturnType<typeof ownTools>)[]
