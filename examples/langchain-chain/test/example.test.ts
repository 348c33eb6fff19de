/** The example as a person runs it: without a key, in one go, each program a process of its own. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { difference } from '../src/demo/show-difference.ts'
import { QUESTION, TEN_TURNS } from '../src/demo/turns.ts'
import type { RecordedPrompt } from '../src/model/prompt-recorder.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hermes-langchain-test-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const run = (program: string, lines: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, OPENAI_API_KEY: '', HERMES_HOME: join(folder, 'home'), PROMPTS: join(folder, 'prompts.jsonl'), ...more }
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

const prompts = (): readonly RecordedPrompt[] =>
  readFileSync(join(folder, 'prompts.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): RecordedPrompt => JSON.parse(line))

describe('the chain', () => {
  it('knows nothing of an earlier conversation before', async () => {
    await run('before', TEN_TURNS)
    expect(await run('before', [QUESTION])).toContain('bot: Nothing yet. Tell me something worth keeping.')
  })

  it('is reviewed at turn 10 through its own model, and the second run’s prompt holds what the first one taught', async () => {
    const output = await run('after', TEN_TURNS)
    expect(output).toContain('· review: 4 applied, 0 rejected, 0 failed')
    const first = prompts()
    expect(first.map((call) => call.purpose)).toEqual([...Array(10).fill('turn'), 'review'])
    for (const call of first.slice(0, 10)) expect(call.prompt).not.toContain('USER PROFILE')

    const again = await run('after', [QUESTION])
    const [prompt] = prompts().slice(11)
    expect(prompt?.prompt).toMatch(/Current conversation:\n═+\nMEMORY[\s\S]*USER PROFILE[\s\S]*\nHuman: what do you remember\?\nAI:$/)
    for (const fact of ['Ada Lovelace', 'tabs over spaces', 'Oslo', 'Kamal']) {
      expect(prompt?.prompt).toContain(fact)
      expect(again).toContain(fact)
    }
  })

  it('differs by a few lines', () => {
    const lines = difference('before.ts', 'after.ts')
    expect(lines.filter((line) => line.startsWith('-'))).toEqual([])
    expect(lines.length).toBeLessThanOrEqual(7)
  })
})

describe('the agent', () => {
  it('remembers what it is asked to, and knows it in the next thread', async () => {
    expect(await run('agent', ['remember that I prefer short answers'])).toContain('bot: Done. I will remember that.')
    expect(await run('agent', [QUESTION])).toContain('bot: This is what I remember:\n- User prefers short answers')
  })

  it('is reviewed at turn 10 through its own model, after the run', async () => {
    expect(await run('agent', TEN_TURNS)).toContain('· review: 4 applied, 0 rejected, 0 failed')
    expect(prompts().map((call) => call.purpose)).toEqual([...Array(10).fill('turn'), 'review'])
  })
})

it('runs in one go', async () => {
  const output = await run('main', [], { HERMES_HOME: join(folder, 'demo') })
  expect(output).toContain('a scripted stand-in plays the model')
  expect(output).toContain('+ chain.memory = new HermesMemory(')
  expect(output).toContain('bot: This is what I remember:\n- The team deploys with Kamal')
  expect(output).toContain('- User prefers short answers')
})
