/** An update of three documents beside a bare durable replace of one: alone, back to back, and from eight processes. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { FileBackend } from '../packages/core/src/storage/files/file-backend.ts'
import { linesIn, replaceOne, updateThree, type Writer } from './files/update-main.ts'

const ROUNDS = 400
const WARM_UP = 100
const WRITERS = 8
const TIMES = 50
const REPEATS = 5

const script = new URL('files/update-main.ts', import.meta.url).pathname

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN

const timed = async (act: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await act()
  return performance.now() - start
}

const tell = (what: string, ms: number, floor: number): void =>
  console.log(`${what.padEnd(58)} ${ms.toFixed(2).padStart(9)} ms   ${(ms / floor).toFixed(2)} × the first`)

/** The two alternate, so that load on the machine affects them equally. `restMs`: before each. */
const alone = async (folder: string, restMs: number): Promise<void> => {
  const bare = join(folder, `bare-${restMs}`)
  const storage = new FileBackend(join(folder, `home-${restMs}`))
  const times = { bare: [] as number[], update: [] as number[] }
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    await pause(restMs)
    const first = await timed(() => replaceOne(bare, `entry ${round}`))
    await pause(restMs)
    const second = await timed(() => updateThree(storage, `entry ${round}`))
    if (round < WARM_UP) continue
    times.bare.push(first)
    times.update.push(second)
  }
  await storage.close()
  const floor = median(times.bare)
  tell(`flock, write, fsync, rename, fsync of one document (${restMs} ms rest)`, floor, floor)
  tell('update of three documents', median(times.update), floor)
}

const start = async (task: { readonly home: string; readonly writer: Writer; readonly name: string }) => {
  const child = spawn(process.execPath, [script, JSON.stringify({ ...task, times: TIMES })], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = child.stdout[Symbol.asyncIterator]()
  await lines.next()
  return {
    go: () => child.stdin.write('go\n'),
    done: async () => void (await lines.next()),
    ended: new Promise((resolve) => child.once('exit', resolve)),
  }
}

/** Milliseconds from the start of all to the end of the last. */
const together = async (home: string, writer: Writer): Promise<number> => {
  const children = await Promise.all(Array.from({ length: WRITERS }, (_, index) => start({ home, writer, name: `w${index}` })))
  const ms = await timed(async () => {
    for (const { go } of children) go()
    await Promise.all(children.map(({ done }) => done()))
  })
  await Promise.all(children.map(({ ended }) => ended))
  return ms
}

/** Prints a table. */
export const run = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-'))
  try {
    await alone(folder, 0)
    await alone(folder, 5)
    const times = { bare: [] as number[], flock: [] as number[], file: [] as number[] }
    let kept = 0
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      times.bare.push(await together(join(folder, `bare-${repeat}`), 'bare'))
      for (const writer of ['flock', 'file'] as const) {
        const home = join(folder, `${writer}-${repeat}`)
        times[writer].push(await together(home, writer))
        const storage = new FileBackend(home, { lock: writer === 'file' ? 'exclusive-file' : 'auto' })
        kept += await linesIn(storage)
        await storage.close()
      }
    }
    const floor = median(times.bare)
    tell(`${WRITERS} processes × ${TIMES}: bare replace of one document`, floor, floor)
    tell(`${WRITERS} processes × ${TIMES}: update of three documents, flock`, median(times.flock), floor)
    tell(`${WRITERS} processes × ${TIMES}: update of three documents, lock file`, median(times.file), floor)
    console.log(`${kept} of ${2 * REPEATS * WRITERS * TIMES} updates kept`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await run()
