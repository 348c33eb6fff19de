/** Asks for confirmation on the terminal before anything is deleted or rolled back, unless --yes is given. */
import { type Answer, failed, interrupted } from '../answer.ts'
import type { Context } from '../context.ts'
import type { World } from '../world.ts'

/** `undefined`: go on. Otherwise the answer to return; nothing has been changed. */
export const askFirst = async (
  question: string,
  yes: boolean | undefined,
  { world, isJson, progress }: Context,
): Promise<Answer | undefined> => {
  if (yes === true) return undefined
  progress.end()
  const confirmed = isJson ? 'nobody' : await confirm(question, world)
  if (confirmed === 'yes') return undefined
  if (confirmed === 'no') return failed({ code: 'confirmation', message: 'Nothing was changed.', isDecision: true })
  if (confirmed === 'stopped') return interrupted('Stopped. Nothing was changed.')
  return failed({
    code: 'confirmation',
    message: 'This needs confirmation, and there is no terminal to ask on. Nothing was changed. Use --yes to confirm.',
  })
}

/** `stopped`: Ctrl-C or Escape. `nobody`: there is no terminal to ask on. */
export type Confirmed = 'yes' | 'no' | 'stopped' | 'nobody'

/** Asks on stderr, so that stdout contains only results. The default answer is no. */
export const confirm = async (message: string, { stdin, stderr }: World): Promise<Confirmed> => {
  if (stdin.isTTY !== true || stderr.isTTY !== true) return 'nobody'
  const prompts = await import('@clack/prompts')
  const answer = await prompts.confirm({ message, initialValue: false, input: stdin, output: stderr })
  if (prompts.isCancel(answer)) return 'stopped'
  return answer ? 'yes' : 'no'
}

export interface KeyChoice<Key extends string> {
  readonly value: Key
  readonly label: string
}

export const hasPerson = ({ stdin, stderr }: Pick<World, 'stdin' | 'stderr'>): boolean => stdin.isTTY === true && stderr.isTTY === true

/** Asks on stderr, so that stdout contains only results. `stopped`: Ctrl-C or Escape. */
export const askKey = async <Key extends string>(
  message: string,
  choices: readonly KeyChoice<Key>[],
  { stdin, stderr }: World,
): Promise<Key | 'stopped'> => {
  const prompts = await import('@clack/prompts')
  const options = choices.map(({ value, label }) => ({ value: value as string, label }))
  const answer = await prompts.selectKey<string>({ message, options, input: stdin, output: stderr })
  return choices.find(({ value }) => value === answer)?.value ?? 'stopped'
}
