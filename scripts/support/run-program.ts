/** Runs the programs of a page unchanged, each as a module inside a package, so that it finds the package's dependencies. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'

/** The program of a page whose first line is this comment. */
export const programOf = async (page: string, comment: string): Promise<string> => {
  const program = new RegExp(`\`\`\`ts\\n// ${comment}\\n([\\s\\S]*?)\`\`\``).exec(await readFile(page, 'utf8'))?.[1]
  if (program === undefined) throw new Error(`${page} has no program '${comment}'.`)
  return program
}

export interface RunningProgram {
  readonly child: ChildProcess
  /** The output so far, stdout and stderr. */
  readonly output: () => string
}

/** `folder`: the folder of the package. */
export const startProgram = (code: string, folder: string, env: NodeJS.ProcessEnv): RunningProgram => {
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-'], { cwd: folder, env: { ...process.env, ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  child.stdin.end(code)
  return { child, output: () => output }
}

export const endProgram = async ({ child }: RunningProgram): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill()
  await closed
}
