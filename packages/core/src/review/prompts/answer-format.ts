/** The form of the answer, in words and by example: not every provider passes a schema on. */

export const describeAnswer = (maxProposals: number, withMessageIds: boolean): string => {
  const messageId = withMessageIds ? '"m3"' : 'null'
  return `Answer with one JSON object and nothing else. It has one key, "proposals": a list of at most ${maxProposals} objects with these keys:
- "target": "user" or "memory".
- "op": an object with "action" ("add", "replace" or "remove"), "content" (the complete new entry; null for remove) and "oldText" (words that occur in exactly one existing entry, copied letter for letter; null for add). A replace exchanges the whole entry, not only these words.
- "rationale": one sentence, why this helps in a later conversation.
- "score": a number from 0 to 1 (0.9, not "high"), how sure you are that it is true, lasting and useful. 0.9 and more: the user said it in so many words. 0.7: well supported. Below 0.7: rather not.
- "evidence": a list of objects with "messageId" (${withMessageIds ? 'the id of the message' : 'null'}) and "quote" (a passage copied from that message letter for letter, long enough to carry the statement). Quote the user wherever the user said it.

Example:
{"proposals":[{"target":"user","op":{"action":"add","content":"Works as a nurse on night shifts","oldText":null},"rationale":"Times and examples can be chosen to fit.","score":0.9,"evidence":[{"messageId":${messageId},"quote":"I work as a nurse on night shifts"}]}]}

If nothing is worth keeping: {"proposals":[]}`
}

export const askAgain = (problem: string): string =>
  `Your answer could not be read: ${problem} Answer again, with the JSON object alone: no explanation, no code fence. If nothing is worth keeping: {"proposals":[]}`
