/** Asks a question that one key answers, on a terminal. */
import type { World } from '../world.ts'

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
