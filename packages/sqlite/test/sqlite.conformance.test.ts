/** The promises of a storage on a file of SQLite, processes and kills included. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { storageConformance } from '@hermes/testing'
import { bundledModule } from '../../../scripts/support/bundled-program.ts'
import { STORAGE_ROUNDS } from '../../../scripts/support/rounds.ts'
import { open } from './support/open-in-child.ts'
import { newFolder } from './support/temporary-folder.ts'

const module = bundledModule(new URL('./support/open-in-child.ts', import.meta.url))

storageConformance(
  'SQLite',
  async () => {
    const folder = newFolder()
    const config = { file: join(folder, 'hermes.db') }
    return {
      // On a busy machine, 400 updates that wait for each other take longer than the usual limit.
      open: () => open(config),
      dispose: async () => rmSync(folder, { recursive: true }),
      openInChild: { module, config },
    }
  },
  STORAGE_ROUNDS,
)
