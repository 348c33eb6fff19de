import { join } from 'node:path'
import { testReadmePrograms } from '../../../scripts/support/readme-programs.ts'

testReadmePrograms(join(import.meta.dirname, '..'))
