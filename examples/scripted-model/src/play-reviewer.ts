/** Plays the reviewer: answers from what the request holds, about memory, about skills, or about both. */
import { proposeFacts } from './propose-facts.ts'
import { proposeSkill } from './propose-skill.ts'
import { readReviewRequest } from './review-request.ts'

/** `userTexts`: the user messages of the prompt, the request last. Answers with JSON text in the form that the request asks for. */
export const playReviewer = (userTexts: readonly string[]): string => {
  const { said, outside, sums, remembered, library } = readReviewRequest(userTexts)
  return JSON.stringify({
    proposals: [
      ...(remembered === undefined ? [] : proposeFacts(said, outside, remembered)),
      ...(library === undefined ? [] : proposeSkill(said, sums, library)),
    ],
  })
}
