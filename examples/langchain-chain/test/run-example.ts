/** The example as a person runs it: without a key, each program a process of its own, in a folder of its own for each test. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { RecordedPrompt } from '../src/model/prompt-recorder.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hermes-langchain-test-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Resolves to all that the program prints. */
export const run = (program: string, lines: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, OPENAI_API_KEY: '', HERMES_HOME: join(folder, 'home'), PROMPTS: join(folder, 'prompts.jsonl') }
    const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'src', `${program}.ts`)], { env })
    let output = ''
    const collect = (text: string): void => {
      output += text
    }
    child.stdout.setEncoding('utf8').on('data', collect)
    child.stderr.setEncoding('utf8').on('data', collect)
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Error(output))))
    child.stdin.end(lines.map((line) => `${line}\n`).join(''))
  })

export const prompts = (): readonly RecordedPrompt[] =>
  readFileSync(join(folder, 'prompts.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): RecordedPrompt => JSON.parse(line))
