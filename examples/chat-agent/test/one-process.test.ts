/** Several chats in one process are like several processes: none leaves anything behind, and none takes anything from the process. */
import type { EventEmitter } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished, vi } from 'vitest'
import { runChat, startChat, temporaryFolder } from './run-chat.ts'

const EVERYTHING = ['my name is Ada', 'split 96 among 5', '/review', '/new', 'what is my name?', '/quit']

const countListeners = (emitter: EventEmitter): number => emitter.eventNames().reduce((sum, event) => sum + emitter.listenerCount(event), 0)

/** Of what keeps a process alive; without pipes, which are Vitest's, and files that are being read or written. */
const countOpen = (): number => process.getActiveResourcesInfo().filter((name) => /^(?:TCP|TTY|Process|Worker)/.test(name)).length

it('leaves no listener, no timer and no open port', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'], shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const before = { listeners: countListeners(process), open: countOpen() }
  const short = startChat({ args: ['--version'] })
  const { stdin, streams, listeners, ended } = startChat({ args: ['--home', temporaryFolder(), '--recall', '--ui'] })
  stdin.end(EVERYTHING.map((line) => `${line}\n`).join(''))
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
  await short.ended
  expect(vi.getTimerCount()).toBe(0)
  expect(listeners()).toBe(0)
  expect(streams.map(countListeners)).toEqual(short.streams.map(countListeners))
  expect(countListeners(process)).toBe(before.listeners)
  // What an earlier test has closed may have been on its way.
  expect(countOpen()).toBeLessThanOrEqual(before.open)
})

it('follows its own environment, and none of an earlier chat or of the process', async () => {
  const headerWith = async (env: Readonly<Record<string, string>>): Promise<string> =>
    (await runChat({ args: ['--home', temporaryFolder()], env, lines: ['/quit'] })).stdout
  expect(await headerWith({ FORCE_COLOR: '1', OPENAI_API_KEY: 'k', OPENAI_MODEL: 'm' })).toContain('\u001b[2mmodel   \u001b[22m OpenAI m\n')
  vi.stubEnv('FORCE_COLOR', '1').stubEnv('OPENAI_API_KEY', 'of the process')
  onTestFinished(() => void vi.unstubAllEnvs())
  const plain = await headerWith({})
  expect(plain).toContain('model    scripted stand-in')
  expect(plain).not.toContain('\u001b')
})

const SOURCES = ['../src/', '../../chat-parts/src/'].flatMap((path) => {
  const folder = fileURLToPath(new URL(path, import.meta.url))
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.flatMap((name) => (/(?<!\.test)\.ts$/.test(name) ? [join(folder, name)] : []))
})

const PROCESS = /\bprocess\??[.[]\w|= process\b|'node:process'|\bhomedir\b|\bconsole\./

it('knows its process in main.ts and process-world.ts alone', () => {
  const knowing = SOURCES.filter((file) => PROCESS.test(readFileSync(file, 'utf8')))
  const expected = ['../src/main.ts', '../../chat-parts/src/process-world.ts']
  expect(knowing).toEqual(expected.map((path) => fileURLToPath(new URL(path, import.meta.url))))
})
