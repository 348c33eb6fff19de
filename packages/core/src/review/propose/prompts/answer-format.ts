/** The form of the answer, in words and by example: not every provider passes a schema on. */
import type { ReviewKind } from '../../review-kind.ts'

const MEMORY_OP = `"action" ("add", "replace" or "remove"), "content" (the whole new entry, or null), "oldText" (words copied from the one entry meant, or null)`

const SKILL_OP = `"action", "name", and for "patch" "oldText" and "newText", for "write_file" "filePath" and "content", for "create" "content" (the whole SKILL.md) and "category" (such as "writing"); the rest null`

const TARGETS: Readonly<Record<ReviewKind, string>> = {
  memory: `- "target": "user" or "memory".
- "op": ${MEMORY_OP}.`,
  skills: `- "target": "skill".
- "op": ${SKILL_OP}.`,
  both: `- "target": "user", "memory" or "skill".
- "op": for "user" and "memory" ${MEMORY_OP}; for "skill" ${SKILL_OP}.`,
}

const memoryExample = (messageId: string): string =>
  `{"target":"user","op":{"action":"add","content":"Works night shifts","oldText":null},"rationale":"Times can be chosen to fit.","score":0.9,"evidence":[{"messageId":${messageId},"quote":"I work night shifts"}]}`

const skillExample = (messageId: string): string =>
  `{"target":"skill","op":{"action":"patch","name":"newsletter","oldText":"3. Send it.","newText":"3. Show the draft and wait for a yes.\\n4. Send it."},"rationale":"One went out unread.","score":0.9,"evidence":[{"messageId":${messageId},"quote":"never send it before I have read it"}]}`

const EXAMPLES: Readonly<Record<ReviewKind, (messageId: string) => string>> = {
  memory: memoryExample,
  skills: skillExample,
  both: (messageId) => `${memoryExample(messageId)},${skillExample(messageId)}`,
}

export const describeAnswer = (maxProposals: number, withMessageIds: boolean, kind: ReviewKind = 'memory'): string => {
  const messageId = withMessageIds ? '"m3"' : 'null'
  return `Answer with one JSON object alone: {"proposals":[]}, or with up to ${maxProposals} objects of this form:
${TARGETS[kind]}
- "rationale": in one sentence, why it helps later.
- "score": a number from 0 to 1: 0.9 if the user said so plainly, 0.7 if well supported.
- "evidence": objects with "messageId" (${withMessageIds ? 'as shown' : 'null'}) and "quote" (copied letter for letter, from the user where possible).
Example: {"proposals":[${EXAMPLES[kind](messageId)}]}`
}

export const askAgain = (problem: string): string =>
  `Your answer could not be read: ${problem} Answer again, with the JSON object alone: no explanation, no code fence. If nothing is worth keeping: {"proposals":[]}`
