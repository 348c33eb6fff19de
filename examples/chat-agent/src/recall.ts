/** Past sessions: the memory provider that searches them. */
import { join } from 'node:path'
import { type LoadedProvider, loadProvider } from '@hermes/cli/provider'
import { recallProvider, sqliteRecallIndex } from '@hermes/recall'
import type { HomeConfig } from './home-config.ts'

/** With `--recall`, an index in the home; else what the home's config.yaml names, with a warning if that cannot be used. */
export const chooseMemoryProvider = async (recall: boolean, home: string, config: HomeConfig): Promise<LoadedProvider> =>
  recall
    ? { provider: recallProvider({ index: sqliteRecallIndex({ folder: join(home, 'recall') }) }) }
    : loadProvider(config.memoryProvider, { home })
