/** Completes an interrupted rollback before a verb changes the library. */
import { ok, type Result } from '@hermes/core'
import { type RollbackRecovery, recoverRollback } from '@hermes/core/curator'
import type { Context } from '../../context.ts'
import { counted } from '../../terminal/gauge.ts'

export const tellRecovery = (recovery: RollbackRecovery, { warn }: Context): void => {
  if (recovery.recovered === 'finished') {
    const { id, restored } = recovery.report
    warn(`A rollback to ${id} had been interrupted and was finished first: ${counted(restored.length, 'file')} restored.`)
  } else if (recovery.recovered === 'undone') {
    warn(`A rollback had been interrupted and was undone: ${recovery.because.message}`)
  }
}

export const settleRollback = async (context: Context): Promise<Result<void>> => {
  const recovered = await recoverRollback(context.storage, context.clock)
  if (!recovered.ok) return recovered
  tellRecovery(recovered.value, context)
  return ok(undefined)
}
