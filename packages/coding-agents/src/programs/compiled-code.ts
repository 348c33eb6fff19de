/** The cache of compiled code, which later starts load instead of compiling anew. In the home: in a folder for all users, which is the default of Node, others could put code. */
import { existsSync } from 'node:fs'
import nodeModule from 'node:module'
import { join } from 'node:path'
import { agentsFolder } from '../home-folder.ts'

/** Only once the home is there: until then nothing is written. Node 20 has no such cache. */
export const keepCompiledCode = (): void => {
  if (existsSync(agentsFolder())) nodeModule.enableCompileCache?.(join(agentsFolder(), 'compiled'))
}
