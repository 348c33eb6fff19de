/** What a person sees and types, in a pseudo terminal. */
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { openPty, type Pty, type PtyOptions } from '../../../scripts/support/pty.ts'
import { openFaultyServer } from './faulty-server.ts'
import { openServer } from './openai-server.ts'
import { temporaryFolder } from './run-chat.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const CTRL_C = '\u0003'

const startChat = async (options: Partial<PtyOptions> = {}): Promise<Pty> => {
  const home = temporaryFolder()
  const pty = openPty({
    columns: 60,
    ...options,
    args: [MAIN, ...(options.args?.includes('--home') ? [] : ['--home', home]), ...(options.args ?? [])],
    env: { HOME: home, ...options.env },
  })
  onTestFinished(pty.kill)
  await pty.waitFor(/^(?:review in \d+ )?>$/m)
  return pty
}

it('takes a pasted stack trace as one turn', async () => {
  const { url, bodies } = await openServer(() => ({ text: 'I see.' }))
  const pty = await startChat({ env: { OPENAI_BASE_URL: url, OPENAI_MODEL: 'small' } })
  pty.type('\u001b[200~Error: no\r  at a.ts:1\r  at b.ts:2\r\u001b[201~')
  await pty.waitFor(/b\.ts:2/)
  pty.type('\r')
  await pty.waitFor(/^I see\.$/m)
  expect(bodies).toHaveLength(1)
  expect(bodies[0]?.messages.at(-1)?.content).toBe('Error: no\n  at a.ts:1\n  at b.ts:2')
})

it('clears a long line on Ctrl-C, all of its rows', async () => {
  const pty = await startChat()
  const before = pty.lines()
  pty.type('x'.repeat(250))
  await pty.waitFor(/(?:x{20,}\n){4}x+$/)
  pty.type(CTRL_C)
  await pty.waitFor(/>$/)
  expect(pty.lines()).toEqual(before)
})

it('draws the line once after the window has become narrower, and wider again', async () => {
  const pty = await startChat({ columns: 80 })
  pty.type('@'.repeat(100))
  await pty.waitFor(/@{60,}\n@+$/)
  pty.resize(50, 24)
  await pty.waitFor(/@{30,}\n@{50}\n@+$/)
  pty.type('z')
  await pty.waitFor(/z$/)
  expect(pty.lines().join('').match(/@/g)).toHaveLength(100)
  pty.resize(80, 24)
  pty.type('z')
  await pty.waitFor(/zz$/)
  expect(pty.lines().join('').match(/@/g)).toHaveLength(100)
})

it('leaves at once by Ctrl-C, whatever the reviewer does', async () => {
  const reviewing = Promise.withResolvers<void>()
  const { url } = await openServer(({ stream }) => {
    if (stream === true) return { text: 'Fine.' }
    reviewing.resolve()
    return new Promise(() => {})
  })
  const pty = await startChat({ args: ['--nudge', '1'], env: { OPENAI_BASE_URL: url, OPENAI_MODEL: 'small' } })
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
  const pty = await startChat({ env: { OPENAI_BASE_URL: url, OPENAI_MODEL: 'small' } })
  pty.type('I live in Lisbon\r')
  await pty.waitFor(/^Fine\.\n+.*>$/m)
  pty.type('/quit\r')
  await pty.waitFor(/Ctrl-C skips/)
  const at = performance.now()
  pty.type(CTRL_C)
  expect(await pty.exited).toBe(0)
  expect(performance.now() - at).toBeLessThan(5_000)
})

it('says of a stream that stalls how long it has been, that Ctrl-C stops it, and what was entered meanwhile', async () => {
  const pty = await startChat({ env: { OPENAI_BASE_URL: await openFaultyServer(['stall']), OPENAI_MODEL: 'small' } })
  pty.type('hello\r')
  await pty.waitFor(/^One moment . waiting [3-9] s · Ctrl-C stops$/m)
  pty.type('/memory\r')
  await pty.waitFor(/s · Ctrl-C stops · 1 message waiting$/m)
  pty.type(CTRL_C)
  await pty.waitFor(/^One moment\n· stopped\n\n.*> \/memory\nmemory .*\n/m)
})

it('says of an answer without a word that it is empty, and wraps what it says of an error at words', async () => {
  const url = await openFaultyServer(['empty answer', 'refused key'])
  const pty = await startChat({ columns: 50, env: { OPENAI_BASE_URL: url, OPENAI_MODEL: 'small' } })
  pty.type('hello\r')
  await pty.waitFor(/^The model's answer is empty\. Ask in other words,\nor try another model\. Press ↑ to send your message\nagain\.$/m)
  pty.type('hello\r')
  await pty.waitFor(/^The provider refused the key \(401: Incorrect API\nkey provided\)\. Check/m)
})

it('counts the turns to the next review at the prompt, over a review and a new start', async () => {
  const home = temporaryFolder()
  const pty = await startChat({ args: ['--home', home, '--nudge', '3'] })
  await pty.waitFor(/^review in 3 >$/m)
  pty.type('I live in Oslo\r')
  await pty.waitFor(/^review in 2 >$/m)
  pty.type(`${CTRL_C}${CTRL_C}`)
  await pty.exited
  const again = await startChat({ args: ['--home', home, '--nudge', '3'] })
  await again.waitFor(/^review in 2 >$/m)
  again.type('/review\r')
  await again.waitFor(/learned: User lives in Oslo\n {4}you said: “I live in Oslo”\n\nreview in 3 >$/)
  again.type('/review\r')
  await again.waitFor(/nothing to review: every turn has been read/)
})
