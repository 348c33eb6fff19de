/** Examples for a help text, each call on its own line so that it can be copied. */
export type Example = readonly [call: string, what: string]

export const formatExamples = (examples: readonly Example[]): string =>
  `Examples:\n${examples.map(([call, what]) => `  ${call}\n      ${what}`).join('\n')}`
