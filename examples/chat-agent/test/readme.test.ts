import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { runChat, temporaryFolder } from './run-chat.ts'

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

it('does what the README shows, line by line', async () => {
  const [, transcript = ''] = /```console\n([\s\S]*?)\n```/.exec(README) ?? []
  const turns = transcript.split('\n\n')
  const lines = turns.map((turn) => turn.split('\n')[0]?.replace('> ', '') ?? '')
  expect(lines).toContain('/new')
  const run = await runChat({ args: ['--home', temporaryFolder()], lines: [...lines, '/quit'] })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  for (const turn of turns) expect(run.stdout).toContain(`${turn}\n`)
})
