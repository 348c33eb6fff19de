/** What a call of one of our tools did, as the first pass of a review is told: what the agent asked for, and whether it was done. No results. Pure. */

const MAX_CHARS = 400

const outcomeOf = ({ success, code }: Readonly<Record<string, unknown>>): string => {
  if (success === true) return 'done'
  return code === 'held' ? 'waits for a person' : `not done${typeof code === 'string' ? `: ${code}` : ''}`
}

/** Frameworks send null for what the model left out. */
const given = (_key: string, value: unknown): unknown => (value === null ? undefined : value)

const inputText = (input: unknown): string => {
  try {
    const text = JSON.stringify(input, given) ?? ''
    return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS).toWellFormed()} […]`
  } catch {
    return '[not readable]'
  }
}

export const describeCall = (tool: string, input: unknown, result: Readonly<Record<string, unknown>>): string =>
  `[${tool} ${inputText(input)}: ${outcomeOf(result)}]`
