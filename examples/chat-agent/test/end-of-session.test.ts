import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readRecording, runChat, temporaryFolder } from './run-chat.ts'

it('learns a name from one short session and knows it in the next, started again', async () => {
  const folder = temporaryFolder()
  const home = join(folder, 'home')
  const record = join(folder, 'requests.jsonl')
  const first = await runChat({ args: ['--home', home], lines: ['my name is Ada', '/quit'] })
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(first.stdout).toContain('· Learning from 1 turn … Ctrl-C skips.\n· review after 1 turn: 1 learned\n')
  expect(first.stdout).toContain("  learned: User's name is Ada\n    you said: “my name is Ada”\n")

  const second = await runChat({ args: ['--home', home, '--record', record], lines: ['what is my name?'] })
  expect(second).toMatchObject({ code: 0, stderr: '' })
  expect(second.stdout).toContain("I remember: User's name is Ada.")
  const [turn] = readRecording(record)
  expect(turn?.messages).toHaveLength(1)
  expect(turn?.system).toContain("User's name is Ada")
})

it('learns when its input just ends, and with /new', async () => {
  const home = temporaryFolder()
  await runChat({ args: ['--home', home], lines: ['my name is Ada'] })
  const run = await runChat({ args: ['--home', home], lines: ['what is my name?', 'I live in Oslo', '/new', 'where do I live?', '/quit'] })
  expect(run.stdout).toContain("I remember: User's name is Ada.")
  expect(run.stdout).toContain('· Learning from 2 turns … Ctrl-C skips.')
  expect(run.stdout).toContain('I remember: User lives in Oslo.')
})

it('says nothing if there is nothing to learn from, or reviews are switched off', async () => {
  const nothing = await runChat({ args: ['--home', temporaryFolder()], lines: ['/new', '/quit'] })
  expect(nothing).toMatchObject({ code: 0, stderr: '' })
  expect(nothing.stdout).not.toMatch(/Learning|· review/)
  const off = await runChat({
    args: ['--home', temporaryFolder(), '--nudge', '0', '--skill-nudge', '0'],
    lines: ['my name is Ada', '/quit'],
  })
  expect(off.stdout).not.toMatch(/Learning|· review/)
})
