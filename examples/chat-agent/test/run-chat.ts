/** Runs the chat as a person would script it: a process of its own, piped input, a private home, no model keys. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RecordedRequest } from '@hermes/example-chat-parts/recording-middleware'
import { onTestFinished } from 'vitest'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

export interface ChatRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Removed when the test ends. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-chat-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export interface RunOptions {
  readonly args?: readonly string[]
  readonly lines?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Where the person is. */
  readonly cwd?: string
}

export const runChat = ({ args = [], lines = [], env = {}, cwd }: RunOptions): Promise<ChatRun> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], HOME: '/no/such/home', ...env },
      ...(cwd === undefined ? {} : { cwd }),
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
    child.stdin.on('error', () => {})
    child.stdin.end(lines.map((line) => `${line}\n`).join(''))
  })

export const readRecording = (file: string): readonly RecordedRequest[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): RecordedRequest => JSON.parse(line))
