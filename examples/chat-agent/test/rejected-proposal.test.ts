import { expect, it } from 'vitest'
import { runChat, temporaryFolder } from './run-chat.ts'

it('shows a rejected proposal with its reason, in the line after the turn and in the journal, and does not keep it', async () => {
  const run = await runChat({
    args: ['--home', temporaryFolder(), '--nudge', '2'],
    lines: ['I prefer tabs over spaces', 'maybe I like olives', '/memory', '/journal', '/quit'],
  })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  expect(run.stdout).toMatch(
    /· review after 2 turns: 1 learned, 1 rejected\n[\s\S]* {2}rejected: add user: User likes olives\n {4}[^\n]*0\.4[^\n]*0\.7/,
  )
  const [, memory = '', journal = ''] = /> \/memory\n([\s\S]*)> \/journal\n([\s\S]*)/.exec(run.stdout) ?? []
  expect(memory).toContain('- User prefers tabs over spaces')
  expect(memory).not.toContain('olives')
  expect(journal).toMatch(/applied {3}add user: User prefers tabs over spaces\n.*by review · origin user · score 0\.9/)
  expect(journal).toMatch(/rejected {2}add user: User likes olives\n.*score 0\.4/)
})

it('never reviews with --nudge 0 and --skill-nudge 0', async () => {
  const lines = [...Array.from({ length: 12 }, (_, index) => `I prefer number ${index}`), '/quit']
  const run = await runChat({ args: ['--home', temporaryFolder(), '--nudge', '0', '--skill-nudge', '0'], lines })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  expect(run.stdout).toContain('review   off')
  expect(run.stdout).not.toContain('· review')
})
