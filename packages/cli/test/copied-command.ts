/** The built command beside an app with packages of its own. */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryHome } from './run-hermes.ts'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))

/** A copy outside this repository, so that it finds only what its own folders hold. */
export const copyOfCommand = (): string => {
  const folder = temporaryHome()
  for (const part of ['dist', 'package.json']) cpSync(join(PACKAGE, part), join(folder, 'command', part), { recursive: true })
  mkdirSync(join(folder, 'app/node_modules/@hermes'), { recursive: true })
  return folder
}

/** Runs `hermes migrate` of the copy, in the folder of the app. */
export const runCopy = (
  folder: string,
  database: string,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(folder, 'command/dist/main.js'), 'migrate', ...args], {
      cwd: join(folder, 'app'),
      env: { PATH: process.env['PATH'], HOME: folder, DATABASE_URL: database, COLUMNS: '300' },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
