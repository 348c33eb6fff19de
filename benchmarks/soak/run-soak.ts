/** Runs one soak in a process of its own, and judges it. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { judgeSoak, type SoakVerdict } from './judge-soak.ts'
import type { SoakSample } from './play-soak.ts'
import type { SoakLine, SoakRequest } from './soak-program.ts'

interface SoakOutcome extends SoakVerdict {
  /** By turns. */
  readonly samples: readonly SoakSample[]
}

export const runSoak = async (request: SoakRequest): Promise<SoakOutcome> => {
  const program = new URL('soak-program.ts', import.meta.url).pathname
  const child = spawn(process.execPath, ['--expose-gc', program, JSON.stringify(request)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve))
  const samples: SoakSample[] = []
  const found: string[] = []
  for await (const text of createInterface({ input: child.stdout })) {
    const line: SoakLine = JSON.parse(text)
    if ('sample' in line) samples.push(line.sample)
    else found.push(line.wrong)
  }
  const code = await ended
  return { samples, ...judgeSoak(samples, code === 0 ? found : [...found, `the process ended with code ${code}`]) }
}
