/** Asks for confirmation before something that cannot be undone easily. */
import type { World } from '../world.ts'

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
