/** Runs the curator of a home if it is due, and prints how many skills it moved. Arguments: the home, the time. */
import { createHermes } from '../../src/create-hermes.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'

const [home = '', at = ''] = process.argv.slice(2)
const hermes = createHermes({ storage: fileSystemBackend(home, { onWarning: () => undefined }), clock: () => Number(at) })
const outcome = await hermes.curator.maybeRun()
await hermes.close()
if (!outcome.ran && outcome.reason === 'failed') throw outcome.error
process.stdout.write(String(outcome.report?.transitioned.length ?? ''))
