/** Opens the home for one call and closes it again. */
import { readHermesConfig, systemClock } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { type Answer, failed } from './answer.ts'
import type { Call } from './command.ts'
import type { Context } from './context.ts'
import { findHome, lookAtHome } from './home-folder.ts'
import { counted } from './terminal/gauge.ts'

export type ContextOptions = Pick<Context, 'world' | 'terminal' | 'warn' | 'say' | 'isJson'>

/** Opens the home, runs the call, closes the home. A missing home is created by the first write, never by a look. */
export const withContext = async (call: Call, { world, terminal, warn, say, isJson }: ContextOptions): Promise<Answer> => {
  const home = findHome(call.globals.home, world)
  const found = lookAtHome(home)
  if (found === 'not-a-folder') {
    return failed({ code: 'invalid_path', message: `'${home}' is a file, not a Hermes home. Name a folder with --home or HERMES_HOME.` })
  }
  if (found === 'missing') {
    warn(`There is no Hermes home at '${home}' yet, so everything is empty. The first write creates it; --home names another.`)
  }
  const storage = fileSystemBackend(home, { onWarning: warn })
  try {
    const config = await readHermesConfig(storage)
    if (!config.ok && !call.withoutConfig) return failed(config.error)
    if (config.ok && config.value.warnings.length > 0 && !call.withoutConfig) {
      warn(`config.yaml holds ${counted(config.value.warnings.length, 'setting')} without effect. 'hermes config check' names them.`)
    }
    return await call.run({ world, terminal, home, storage, config, clock: world.clock ?? systemClock, warn, say, isJson })
  } finally {
    await storage.close()
  }
}
