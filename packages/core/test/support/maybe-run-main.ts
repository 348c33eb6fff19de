/** Runs the curator on a home if it is due, and prints how many skills it moved. Arguments: the home, the time, an id for the run. */
import { maybeRunCurator } from '../../src/curator/schedule/maybe-run-curator.ts'
import { SkillStore } from '../../src/skills/skill-store.ts'
import { fileSystemBackend } from '../../src/storage/files/index.ts'
import { UsageStore } from '../../src/usage/usage-store.ts'

const [home = '', at = '', id = ''] = process.argv.slice(2)
const storage = fileSystemBackend(home, { onWarning: () => undefined })
const clock = () => Number(at)
const options = { storage, clock, skills: new SkillStore({ storage, clock }), usage: new UsageStore({ storage, clock }) }
const outcome = await maybeRunCurator({ ...options, idleMs: Number.POSITIVE_INFINITY, createId: () => id })
if ('error' in outcome && outcome.error && outcome.reason !== 'locked') throw outcome.error
process.stdout.write(String(outcome.report?.transitioned.length ?? ''))
