/** Plays one soak in a process of its own, and writes a line of JSON for each sample and each thing that is wrong. The argument: a `SoakRequest` as JSON. */
import { playSoak, SAMPLES, type SoakSample } from './play-soak.ts'
import { soakInFiles, soakOnPglite, soakOnPostgres } from './soak-storages.ts'

export interface SoakRequest {
  readonly turns: number
  readonly sessions: number
  readonly hours: number
  /** `{ url }`: of a PostgreSQL server. */
  readonly storage: 'files' | 'pglite' | { readonly url: string }
}

export type SoakLine = { readonly sample: SoakSample } | { readonly wrong: string }

const request: SoakRequest = JSON.parse(process.argv[2] ?? '')
const { turns, sessions, hours, storage: chosen } = request
const open = () => {
  if (chosen === 'files') return soakInFiles()
  return chosen === 'pglite' ? soakOnPglite() : soakOnPostgres(chosen.url)
}
const until = performance.now() + hours * 3_600_000
const print = (line: SoakLine): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

// Opened by its first use, which must not count as a leak.
void process.stdout
const storage = await open()
try {
  await playSoak({
    storage,
    turns,
    sessions,
    every: turns / SAMPLES,
    goesOn: () => performance.now() < until,
    onSample: (sample) => print({ sample }),
    onWrong: (wrong) => print({ wrong }),
  })
} finally {
  await storage.remove()
}
