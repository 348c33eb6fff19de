/** `/approve ID` and `/reject ID`: your decision about what waits. The first characters of an id are enough. */
import { oneLine } from '../terminal/clean-text.ts'
import { wrapText } from '../terminal/word-wrap.ts'
import type { Command, CommandContext } from './command.ts'
import { describeOp } from './describe-op.ts'
import { findHeld } from './held-proposals.ts'

const decide = async (decision: 'approve' | 'reject', argument: string, context: CommandContext): Promise<void> => {
  const { terminal, hermes } = context
  const { print, paint, columns } = terminal
  const held = await findHeld(argument, decision, context)
  if (held === undefined) return
  const decided = decision === 'approve' ? await hermes.pending.approve(held.id) : await hermes.pending.reject(held.id)
  if (!decided.ok) return print(paint.red(wrapText(oneLine(decided.error.message), columns)))
  const what = held.ops.map((op) => describeOp(held.target, op)).join('; ')
  print(wrapText(`${decision === 'approve' ? 'approved' : 'rejected'}: ${what}`, columns, '  '))
}

const command = (name: 'approve' | 'reject', summary: string): Command => ({
  name,
  usage: `/${name} ID`,
  summary,
  run: async (argument, context) => {
    await decide(name, argument, context)
    return undefined
  },
})

export const approveCommand = command('approve', 'write what waits for your decision')
export const rejectCommand = command('reject', 'drop what waits for your decision')
