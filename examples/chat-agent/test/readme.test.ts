import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { runChat, temporaryFolder } from './run-chat.ts'

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const TRANSCRIPTS = [...README.matchAll(/```console\n([\s\S]*?)\n```/g)].map(([, transcript = '']) => ({
  turns: transcript.split('\n\n'),
  options: transcript.includes('· recalled') ? ['--recall'] : [],
}))

it.each(TRANSCRIPTS)('does what the README shows, line by line, from "$turns.0" on', async ({ turns, options }) => {
  const lines = turns.map((turn) => turn.split('\n')[0]?.replace('> ', '') ?? '')
  expect(lines).toContain('/new')
  const run = await runChat({ args: ['--home', temporaryFolder(), ...options], lines: [...lines, '/quit'] })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  for (const turn of turns) expect(run.stdout).toContain(`${turn}\n`)
})

it('shows a skill, a page and a past session', () => {
  expect(TRANSCRIPTS).toHaveLength(3)
})
