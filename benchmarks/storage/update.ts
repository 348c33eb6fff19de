/** An update of three documents beside a bare durable replace of one: alone, back to back, and from eight processes. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { FileBackend } from '../../packages/core/src/storage/files/file-backend.ts'
import { type Report, table } from '../report.ts'
import { percentile, takeTurns, timed, timesTable } from '../timing.ts'
import { linesIn, replaceOne, updateThree, type Writer } from './update-main.ts'

const ROUNDS = 400
const WARM_UP = 100
const WRITERS = 8
const TIMES = 50
const REPEATS = 5

const script = new URL('update-main.ts', import.meta.url).pathname

const alone = async (folder: string, restMs: number): Promise<string> => {
  const storage = new FileBackend(join(folder, `home-${restMs}`))
  const before = () => pause(restMs)
  const times = await takeTurns(
    {
      'bare: flock, write, fsync, rename, fsync of one document': {
        before,
        act: (round) => replaceOne(join(folder, `bare-${restMs}`), `entry ${round}`),
      },
      'update of three documents': { before, act: (round) => updateThree(storage, `entry ${round}`) },
    },
    ROUNDS,
    WARM_UP,
  )
  await storage.close()
  return timesTable(`one process, ${restMs} ms before each`, times)
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

export const measureUpdate = async (folder: string): Promise<Report> => {
  const one = [await alone(folder, 0), await alone(folder, 5)]
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
  const floor = percentile(times.bare, 0.5)
  const row = (what: string, each: readonly number[]) => {
    const half = percentile(each, 0.5)
    return [what, half.toFixed(0), `${(half / floor).toFixed(2)} ×`]
  }
  const expected = 2 * REPEATS * WRITERS * TIMES
  return {
    blocks: [
      ...one,
      table(
        [`${WRITERS} processes × ${TIMES}`, 'ms', '÷ the first'],
        [
          row('bare replace of one document', times.bare),
          row('update of three documents, flock', times.flock),
          row('update of three documents, lock file', times.file),
        ],
      ),
      `${kept} of ${expected} updates kept.`,
    ],
    held: kept === expected,
  }
}
