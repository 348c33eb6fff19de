/** Hands a waiting item to the hook that takes it. */
import type { HookOptions, HookOutcome } from './hook-guard.ts'
import type { HomeProvider } from './memory-provider.ts'
import type { WaitingItem } from './provider-items.ts'
import type { HookUse, UseHook } from './use-hook.ts'

const HOOK_OF = {
  turn: 'syncTurn',
  write: 'onMemoryWrite',
  switch: 'onSessionSwitch',
  end: 'onSessionEnd',
} as const satisfies Record<WaitingItem['kind'], keyof HomeProvider>

/** False if the provider is known to have no hook for such items. */
export const isTaken = (hooks: HomeProvider | undefined, kind: WaitingItem['kind']): boolean =>
  hooks === undefined || hooks[HOOK_OF[kind]] !== undefined

const handOver = (use: UseHook, item: WaitingItem, options: HookOptions): Promise<HookUse<void>> => {
  switch (item.kind) {
    case 'turn': {
      const { by: _by, kind: _kind, ...turn } = item
      return use('syncTurn', (syncTurn, call) => syncTurn(turn, call), options)
    }
    case 'write': {
      const { by: _by, kind: _kind, ...write } = item
      return use('onMemoryWrite', (onMemoryWrite, call) => onMemoryWrite(write, call), options)
    }
    case 'switch': {
      const { by: _by, kind: _kind, ...change } = item
      return use('onSessionSwitch', (onSessionSwitch, call) => onSessionSwitch(change, call), options)
    }
    case 'end': {
      const { by: _by, kind: _kind, ...end } = item
      return use('onSessionEnd', (onSessionEnd, call) => onSessionEnd(end, call), options)
    }
  }
}

/** An item that the provider has no hook for is done. */
export const deliverItem = async (use: UseHook, item: WaitingItem, options: HookOptions): Promise<HookOutcome<void>> => {
  const outcome = await handOver(use, item, options)
  return outcome.kind === 'missing' ? { kind: 'done', value: undefined } : outcome
}
