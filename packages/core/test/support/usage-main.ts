/** Counts uses of one skill, then pins and ages another. Arguments: the home, the name of the other skill, how many uses. */
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { UsageStore } from '../../src/usage/usage-store.ts'

const [home = '', own = '', uses = ''] = process.argv.slice(2)
const usage = new UsageStore({ storage: fileSystemBackend(home, { onWarning: () => undefined }) })
for (let time = 0; time < Number(uses); time++) {
  const written = await usage.record('shared', 'use')
  if (!written.ok) throw written.error
}
for (const done of [await usage.pin(own), await usage.setState(own, 'stale')]) if (!done.ok) throw done.error
