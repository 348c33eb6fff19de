/** Runs the curator on a home if it is due, and prints how many skills it moved. Arguments: the home, the time, an id for the run. */
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { maybeRunCurator } from './open-curator.ts'

const [home = '', at = '', id = ''] = process.argv.slice(2)
const storage = fileSystemBackend(home, { onWarning: () => undefined })
const outcome = await maybeRunCurator({ storage, clock: () => Number(at), idleMs: Number.POSITIVE_INFINITY, createId: () => id })
if ('error' in outcome && outcome.error && outcome.reason !== 'locked') throw outcome.error
process.stdout.write(String(outcome.report?.transitioned.length ?? ''))
