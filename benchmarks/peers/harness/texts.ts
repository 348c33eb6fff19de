/** The texts of all figures, the same for every peer and every run. */

const TOPICS = ['deployment', 'database', 'review', 'release', 'invoice', 'holiday', 'server', 'design', 'contract', 'interview'] as const

/** About 110 characters. */
export const fact = (index: number): string =>
  `Fact ${index}: the ${TOPICS[index % TOPICS.length]} of project ${index * 7} is on Tuesday after the meeting, and team ${index % 5} owns it.`

export const facts = (from: number, count: number): readonly string[] => Array.from({ length: count }, (_, at) => fact(from + at))

export const INSTRUCTIONS = `You are the assistant of a small company. Answer briefly and friendly. ${'Say what you know, and say when you do not know. '.repeat(8)}`

/** About 450 characters. */
export const question = (turn: number): string =>
  `Question ${turn}: ${`what do we do about the ${TOPICS[turn % TOPICS.length]} this week, given what we said about it before? `.repeat(5)}`

/** About 550 characters. */
export const answer = (count: number): string =>
  `Answer ${count}: ${`the ${TOPICS[count % TOPICS.length]} can wait until the others have answered, so nothing has to be done today. `.repeat(5)}`
