import { providerConformance } from '@hermes/testing'
import { recallProvider } from '../src/recall-provider.ts'
import { sqliteRecallIndex } from '../src/sqlite/sqlite-recall-index.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

providerConformance('recall over SQLite', () => ({ provider: recallProvider({ index: sqliteRecallIndex({ folder: temporaryFolder() }) }) }))
