import { providerConformance } from '@hermes/core/testing'
import { recallProvider, sqliteRecallIndex } from '../src/index.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

providerConformance('recall over SQLite', () => ({ provider: recallProvider({ index: sqliteRecallIndex({ folder: temporaryFolder() }) }) }))
