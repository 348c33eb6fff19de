/** Past sessions: the memory provider that searches them. */
import { join } from 'node:path'
import { type LoadedProvider, loadProvider } from '@hermes/cli/provider'
import { recallProvider, sqliteRecallIndex } from '@hermes/recall'
import type { HomeConfig } from './home-config.ts'

interface ChatRecall {
  readonly recall: boolean
  readonly embed: 'local' | undefined
  /** Absolute path. */
  readonly home: string
}

/** With `--recall` or `--embed`, an index in the home; else what the home's config.yaml names, with a warning if that cannot be used. */
export const chooseMemoryProvider = async ({ recall, embed, home }: ChatRecall, config: HomeConfig): Promise<LoadedProvider> =>
  recall
    ? { provider: recallProvider({ index: sqliteRecallIndex({ folder: join(home, 'recall') }), ...(embed ? { embed } : {}) }) }
    : loadProvider(config.memoryProvider, { home })
