/** The form of the answer, in words and by example: not every provider passes a schema on. */
import type { ReviewKind } from '../review-kind.ts'

const MEMORY_OP = `"action" ("add", "replace" or "remove"), "content" (the complete new entry; null for remove) and "oldText" (words that occur in exactly one existing entry, copied letter for letter; null for add). A replace exchanges the whole entry, not only these words.`

const SKILL_OP = `"action", "name" (of the skill) and what that action needs:
  - "patch": "oldText" and "newText", of its SKILL.md.
  - "write_file": "filePath" of a new file (such as "references/limits.md") and "content" (the complete file).
  - "create": "content" (the complete SKILL.md) and "category" (a folder of related skills, such as "writing", or null).
  What an action does not need is null.`

const TARGETS: Readonly<Record<ReviewKind, string>> = {
  memory: `- "target": "user" or "memory".
- "op": an object with ${MEMORY_OP}`,
  skills: `- "target": "skill".
- "op": an object with ${SKILL_OP}`,
  both: `- "target": "user", "memory" or "skill".
- "op": for "user" and "memory" an object with ${MEMORY_OP} For "skill" an object with ${SKILL_OP}`,
}

const memoryExample = (messageId: string): string =>
  `{"target":"user","op":{"action":"add","content":"Works as a nurse on night shifts","oldText":null},"rationale":"Times and examples can be chosen to fit.","score":0.9,"evidence":[{"messageId":${messageId},"quote":"I work as a nurse on night shifts"}]}`

const skillExample = (messageId: string): string =>
  `{"target":"skill","op":{"action":"patch","name":"newsletter","oldText":"3. Send it to the list.","newText":"3. Show the draft to the user, and wait for the yes.\\n4. Send it to the list."},"rationale":"The user stopped a newsletter that went out unread.","score":0.9,"evidence":[{"messageId":${messageId},"quote":"never send the newsletter before I have read the draft"}]}`

const EXAMPLES: Readonly<Record<ReviewKind, (messageId: string) => string>> = {
  memory: memoryExample,
  skills: skillExample,
  both: (messageId) => `${memoryExample(messageId)},${skillExample(messageId)}`,
}

export const describeAnswer = (maxProposals: number, withMessageIds: boolean, kind: ReviewKind = 'memory'): string => {
  const messageId = withMessageIds ? '"m3"' : 'null'
  return `Answer with one JSON object and nothing else. It has one key, "proposals": a list of at most ${maxProposals} objects with these keys:
${TARGETS[kind]}
- "rationale": one sentence, why this helps in a later conversation.
- "score": a number from 0 to 1 (0.9, not "high"), how sure you are that it is true, lasting and useful. 0.9 and more: the user said it in so many words. 0.7: well supported. Below 0.7: rather not.
- "evidence": a list of objects with "messageId" (${withMessageIds ? 'the id of the message' : 'null'}) and "quote" (a passage copied from that message letter for letter, long enough to carry the statement). Quote the user wherever the user said it.

Example:
{"proposals":[${EXAMPLES[kind](messageId)}]}

If nothing is worth keeping: {"proposals":[]}`
}

export const askAgain = (problem: string): string =>
  `Your answer could not be read: ${problem} Answer again, with the JSON object alone: no explanation, no code fence. If nothing is worth keeping: {"proposals":[]}`
