/** What a person sees and types. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openPty } from '../../../scripts/support/pty.ts'
import { IS_LONG_RUN } from '../../../scripts/support/rounds.ts'
import { type ChatAtTerminal, openChat, type TerminalOptions } from './chat-at-terminal.ts'
import { openFaultyServer } from './faulty-server.ts'
import { openServer } from './openai-server.ts'
import { MAIN, temporaryFolder } from './run-chat.ts'

const CTRL_C = '\u0003'
const PROMPT = /^(?:review in \d+ )?>$/m

const startChat = async ({ args = [], env, ...options }: TerminalOptions = {}): Promise<ChatAtTerminal> => {
  const home = temporaryFolder()
  const inHome = args.includes('--home') ? args : ['--home', home, ...args]
  const chat = openChat({ columns: 60, ...options, args: inHome, env: { HOME: home, ...env } })
  await chat.waitFor(PROMPT)
  return chat
}

it('takes a pasted stack trace as one turn', async () => {
  const { url, bodies } = await openServer(() => ({ text: 'I see.' }))
  const chat = await startChat({ env: { OPENAI_BASE_URL: url, OPENAI_MODEL: 'small' } })
  chat.type('\u001b[200~Error: no\r  at a.ts:1\r  at b.ts:2\r\u001b[201~')
  await chat.waitFor(/b\.ts:2/)
  chat.type('\r')
  await chat.waitFor(/^I see\.$/m)
  expect(bodies).toHaveLength(1)
  expect(bodies[0]?.messages.at(-1)?.content).toBe('Error: no\n  at a.ts:1\n  at b.ts:2')
})

it('clears a long line on Ctrl-C, all of its rows', async () => {
  const chat = await startChat()
  const before = chat.lines()
  chat.type('x'.repeat(250))
  await chat.waitFor(/(?:x{20,}\n){4}x+$/)
  chat.type(CTRL_C)
  await chat.waitFor(/>$/)
  expect(chat.lines()).toEqual(before)
})

it('draws the line once after the window has become narrower, and wider again', async () => {
  const chat = await startChat({ columns: 80 })
  chat.type('@'.repeat(100))
  await chat.waitFor(/@{60,}\n@+$/)
  chat.resize(50, 24)
  await chat.waitFor(/@{30,}\n@{50}\n@+$/)
  chat.type('z')
  await chat.waitFor(/z$/)
  expect(chat.lines().join('').match(/@/g)).toHaveLength(100)
  chat.resize(80, 24)
  chat.type('z')
  await chat.waitFor(/zz$/)
  expect(chat.lines().join('').match(/@/g)).toHaveLength(100)
})

/** Keeps its process alive for ever. */
const CLINGING = "setInterval(() => {}, 1_000)\nexport default { name: 'clinging', initialize: () => ({}) }"

it('leaves at once by Ctrl-C, whatever the reviewer does, and whatever a memory provider holds open', async () => {
  const reviewing = Promise.withResolvers<void>()
  const { url } = await openServer(({ stream }) => {
    if (stream === true) return { text: 'Fine.' }
    reviewing.resolve()
    return new Promise(() => {})
  })
  const home = temporaryFolder()
  writeFileSync(join(home, 'config.yaml'), 'memory:\n  provider: ./clinging.mjs\n', { mode: 0o600 })
  writeFileSync(join(home, 'clinging.mjs'), CLINGING, { mode: 0o600 })
  const env = { HOME: home, OPENAI_BASE_URL: url, OPENAI_MODEL: 'small' }
  // A process at a pseudo terminal: here a process ends, or does not.
  const pty = openPty({ args: [MAIN, '--home', home, '--nudge', '1'], env, columns: 60 })
  onTestFinished(pty.kill)
  await pty.waitFor(PROMPT)
  expect(pty.lines().join('\n')).toContain('on, by clinging')
  pty.type('I live in Lisbon\r')
  await pty.waitFor(/^Fine\.\n+.*>$/m)
  await reviewing.promise
  pty.type(CTRL_C)
  await pty.waitFor(/Press Ctrl-C again/)
  const at = performance.now()
  pty.type(CTRL_C)
  expect(await pty.exited).toBe(0)
  expect(performance.now() - at).toBeLessThan(5_000)
  expect(pty.lines().join('\n')).toContain('left before the review was finished')
})

it('skips the review at the end by Ctrl-C and is gone at once', async () => {
  const { url } = await openServer(({ stream }) => (stream === true ? { text: 'Fine.' } : new Promise(() => {})))
  const chat = await startChat({ env: { OPENAI_BASE_URL: url, OPENAI_MODEL: 'small' } })
  chat.type('I live in Lisbon\r')
  await chat.waitFor(/^Fine\.\n+.*>$/m)
  chat.type('/quit\r')
  await chat.waitFor(/Ctrl-C skips/)
  const at = performance.now()
  chat.type(CTRL_C)
  expect(await chat.exited).toBe(0)
  expect(performance.now() - at).toBeLessThan(5_000)
})

if (IS_LONG_RUN)
  it('says of a stream that stalls how long it has been, that Ctrl-C stops it, and what was entered meanwhile', async () => {
    const chat = await startChat({ env: { OPENAI_BASE_URL: await openFaultyServer(['stall']), OPENAI_MODEL: 'small' } })
    chat.type('hello\r')
    await chat.waitFor(/^One moment . waiting [3-9] s · Ctrl-C stops$/m)
    chat.type('/memory\r')
    await chat.waitFor(/s · Ctrl-C stops · 1 message waiting$/m)
    chat.type(CTRL_C)
    await chat.waitFor(/^One moment\n· stopped\n\n.*> \/memory\nmemory .*\n/m)
  })

it('says of an answer without a word that it is empty, and wraps what it says of an error at words', async () => {
  const url = await openFaultyServer(['empty answer', 'refused key'])
  const chat = await startChat({ columns: 50, env: { OPENAI_BASE_URL: url, OPENAI_MODEL: 'small' } })
  chat.type('hello\r')
  await chat.waitFor(/^The model's answer is empty\. Ask in other words,\nor try another model\. Press ↑ to send your message\nagain\.$/m)
  chat.type('hello\r')
  await chat.waitFor(/^The provider refused the key \(401: Incorrect API\nkey provided\)\. Check/m)
})

it('counts the turns to the next review at the prompt, over a review and a new start', async () => {
  const home = temporaryFolder()
  const chat = await startChat({ args: ['--home', home, '--nudge', '3'] })
  await chat.waitFor(/^review in 3 >$/m)
  chat.type('I live in Oslo\r')
  await chat.waitFor(/^review in 2 >$/m)
  chat.type(`${CTRL_C}${CTRL_C}`)
  await chat.exited
  const again = await startChat({ args: ['--home', home, '--nudge', '3'] })
  await again.waitFor(/^review in 2 >$/m)
  again.type('/review\r')
  await again.waitFor(/learned: User lives in Oslo\n {4}you said: “I live in Oslo”\n\nreview in 3 >$/)
  again.type('/review\r')
  await again.waitFor(/nothing to review: every turn has been read/)
})
