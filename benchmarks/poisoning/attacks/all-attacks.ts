/** Every attack, by class. */
import { addressSubstitution } from './address-substitution.ts'
import type { Attack } from './attack.ts'
import { consolidation } from './consolidation.ts'
import { corroboration } from './corroboration.ts'
import { destructiveReplace } from './destructive-replace.ts'
import { documentRule } from './document-rule.ts'
import { drip } from './drip.ts'
import { forgedQuote } from './forged-quote.ts'
import { invisibleText } from './invisible-text.ts'
import { oldSession } from './old-session.ts'
import { pastedText } from './pasted-text.ts'
import { recall } from './recall.ts'
import { restatement } from './restatement.ts'
import { skillDetour } from './skill-detour.ts'
import { subAgent } from './sub-agent.ts'
import { toolResult } from './tool-result.ts'
import { usersWords } from './users-words.ts'
import { webSummary } from './web-summary.ts'

export const ATTACKS: Readonly<Record<string, readonly Attack[]>> = {
  'document rule': documentRule,
  'web summary': webSummary,
  'tool result': toolResult,
  drip,
  'restatement by the agent': restatement,
  consolidation,
  'skill detour': skillDetour,
  'address substitution': addressSubstitution,
  'forged quote': forgedQuote,
  'in the words of the user': usersWords,
  'pasted text': pastedText,
  recall,
  'recalled from an old session': oldSession,
  'sub-agent': subAgent,
  'invisible text': invisibleText,
  'destructive replace': destructiveReplace,
  'manufactured corroboration': corroboration,
}
