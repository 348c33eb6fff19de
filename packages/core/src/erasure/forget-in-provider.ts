/** Erases from the external memory provider of a home. */
import type { ProviderConnection } from '../provider/provider-connection.ts'
import type { CheckedTarget } from './erase-target.ts'
import type { RemainingText } from './forget-receipt.ts'
import type { Erasure } from './redaction.ts'

export interface ForgottenItems {
  readonly items: number
  /** Empty, or the provider. */
  readonly remaining: readonly RemainingText[]
  /** The folder of the provider's name, where it may keep its files in the home. Set if it erased, and so looked there itself. */
  readonly folder?: string
}

/** The entry that was found, of which the caller may have given only a piece. */
const textOf = (target: Exclude<CheckedTarget, { readonly kind: 'session' }>, { texts }: Erasure): string => texts[0] ?? target.text

/** Never fails: a provider that could not erase is listed as remaining. */
export const forgetInProvider = async (
  provider: Pick<ProviderConnection, 'name' | 'forget'> | undefined,
  target: CheckedTarget,
  erasure: Erasure,
  dryRun: boolean,
): Promise<ForgottenItems> => {
  if (!provider || (target.kind === 'entry' && erasure.texts.length === 0)) return { items: 0, remaining: [] }
  const forgotten = await provider.forget(
    target.kind === 'session'
      ? { kind: 'session', sessionId: target.id, dryRun }
      : { kind: 'text', text: textOf(target, erasure), matches: erasure.matches, dryRun },
  )
  if (forgotten.ok) return { items: forgotten.value, remaining: [], folder: provider.name }
  return { items: 0, remaining: [{ path: `provider:${provider.name}`, reason: forgotten.error.message }] }
}
