/** All scenarios, in the order of the report. */
import type { Scenario } from '../scenario.ts'
import { BUDGET } from './budget.ts'
import { CONTRADICTIONS } from './contradictions.ts'
import { CORRECTIONS } from './corrections.ts'
import { FACTS } from './facts.ts'
import { PLAIN_TALK } from './plain-talk.ts'
import { PREFERENCES } from './preferences.ts'
import { SHORT_SESSIONS } from './short-sessions.ts'
import { TOOL_WORK } from './tool-work.ts'

export const SCENARIOS: readonly Scenario[] = [
  ...FACTS,
  ...CORRECTIONS,
  ...CONTRADICTIONS,
  ...PREFERENCES,
  ...BUDGET,
  ...SHORT_SESSIONS,
  ...TOOL_WORK,
  ...PLAIN_TALK,
]
