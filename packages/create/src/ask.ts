/** Asks a person at a terminal for what the command line does not say. */
import { isCancel, select, text } from '@clack/prompts'
import { TEMPLATE_NAMES, TEMPLATES, type TemplateName } from './templates.ts'

/** On stderr, as every question of the `hermes` command. */
const terminal = { input: process.stdin, output: process.stderr }

export const hasPerson = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

/** Undefined: Ctrl-C or Escape. */
export const askTemplate = async (): Promise<TemplateName | undefined> => {
  const options = TEMPLATE_NAMES.map((value) => ({ value, label: TEMPLATES[value].label }))
  const answer = await select<TemplateName>({ message: 'Which app?', options, ...terminal })
  return isCancel(answer) ? undefined : answer
}

/** Undefined: Ctrl-C or Escape. */
export const askFolder = async (): Promise<string | undefined> => {
  const answer = await text({ message: 'In which folder?', initialValue: 'my-app', ...terminal })
  return isCancel(answer) ? undefined : answer
}
