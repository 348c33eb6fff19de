/** Plays a scenario in a home on disk and kills itself at one of its changes. Arguments: home, scenario, number of the change, moment. */
import type { StorageBackend } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { SCENARIOS, START } from './scenarios.ts'

const [, , home = '', name, number, moment] = process.argv
const scenario = SCENARIOS.find((each) => each.name === name)
if (!scenario) throw new Error(`There is no scenario '${name}'.`)

const die = (): never => {
  process.kill(process.pid, 'SIGKILL')
  throw new Error('Not reached.')
}

const inner = fileSystemBackend(home)
let changes = 0
const storage: StorageBackend = {
  read: (paths) => inner.read(paths),
  list: (prefix) => inner.list(prefix),
  close: () => inner.close(),
  update: async (paths, plan, options) => {
    if (++changes !== Number(number)) return inner.update(paths, plan, options)
    if (moment === 'before a change') die()
    // While it holds the lock.
    return inner.update(paths, die)
  },
}

const outcome = await scenario.act(storage, START)
await inner.close()
process.stdout.write(JSON.stringify({ outcome, changes }))
