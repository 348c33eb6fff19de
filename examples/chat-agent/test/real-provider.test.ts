import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Body, openServer, type Reply, systemOf } from './openai-server.ts'
import { runChat, temporaryFolder } from './run-chat.ts'

const TOOLS = ['calculate', 'current_time', 'read_page', 'read_file', 'memory', 'skills_list', 'skill_view', 'skill_manage']

/** As models like to answer: with a word before it, and fenced. */
const proposing = (proposal: unknown): Reply => ({
  text: `Here it is:\n\`\`\`json\n${JSON.stringify({ proposals: [proposal] })}\n\`\`\``,
})

const FACT = {
  target: 'user',
  op: { action: 'add', content: 'User prefers short answers', oldText: null },
  rationale: '',
  score: 0.95,
  evidence: [{ messageId: 'm1', quote: 'I prefer short answers' }],
}

it('runs the same loop through an OpenAI-compatible server', async () => {
  const { url, bodies } = await openServer(({ stream }) => (stream === true ? { text: 'Two words.' } : proposing(FACT)))
  const run = await runChat({
    args: ['--home', temporaryFolder(), '--nudge', '2'],
    env: { OPENAI_BASE_URL: url, OPENAI_MODEL: 'small' },
    lines: ['I prefer short answers', 'hello', '/new', 'hello', '/quit'],
  })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  expect(run.stdout).toContain(`model    small at ${url}`)
  expect(run.stdout.match(/^Two words\.$/gm)).toHaveLength(3)
  expect(run.stdout).toContain('· review after 2 turns: 1 learned')

  const turns = bodies.filter((body) => body.stream === true)
  const systems = turns.map(systemOf)
  expect(turns[0]?.tools?.map((tool) => tool.function.name)).toEqual(TOOLS)
  expect(systems[0]).toBe(systems[1])
  expect(systems[1]).not.toContain('short answers')
  expect(systems[2]).toContain('User prefers short answers')
  // Three turns; one review by count, and one when the chat ends.
  expect(bodies).toHaveLength(5)
})

const SKILL_MD = `---
name: split-bills
description: Split a bill and round each share up to the next 10 cents
---

# Split bills

1. Work out each share with calculate.
2. Round each share up to the next 10 cents.
`

const SKILL = {
  target: 'skill',
  op: { action: 'create', name: 'split-bills', category: 'money', content: SKILL_MD, filePath: null, oldText: null, newText: null },
  rationale: 'The user corrected how shares are rounded.',
  score: 0.9,
  evidence: [{ messageId: 'm1', quote: 'always round each share up to the next 10 cents' }],
}

/** Reads the skill where one is listed, works out one sum, then answers. */
const playAgent = (body: Body): Reply => {
  if (body.stream !== true) return proposing(SKILL)
  const turn = body.messages.slice(body.messages.findLastIndex(({ role }) => role === 'user'))
  const called = turn.flatMap(({ tool_calls: calls }) => calls ?? []).map((call) => call.function.name)
  if (systemOf(body).includes('- split-bills:') && called.length === 0) return { tool: 'skill_view', input: { name: 'split-bills' } }
  if (!called.includes('calculate')) return { tool: 'calculate', input: { expression: 'ceil(96 / 5, 0.1)' } }
  return { text: 'Each pays 19.20.' }
}

it('learns a skill through an OpenAI-compatible server, and uses it in the next session', async () => {
  const home = temporaryFolder()
  const { url, bodies } = await openServer(playAgent)
  const run = await runChat({
    args: ['--home', home, '--nudge', '0', '--skill-nudge', '3'],
    env: { OPENAI_BASE_URL: url, OPENAI_MODEL: 'small' },
    lines: [
      'always round each share up to the next 10 cents',
      'split 96 among 5',
      'split 96 among 5',
      '/new',
      'split 96 among 5',
      '/skills',
      '/quit',
    ],
  })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  expect(run.stdout).toMatch(
    /· review after 3 tool steps: 1 learned\n {2}learned a skill: split-bills\n {4}.*: “always round each share up to the next 10 cents”\n/,
  )
  expect(run.stdout).toContain('skills   1, see /skills')
  expect(run.stdout.slice(run.stdout.indexOf('> /new'))).toContain(`> split 96 among 5
· read the skill split-bills
· calculate ceil(96 / 5, 0.1) = 19.2
Each pays 19.20.
`)
  expect(run.stdout).toMatch(/- split-bills: Split a bill.*\n {2}active · used once\n/)
  expect(readFileSync(join(home, 'skills', 'money', 'split-bills', 'SKILL.md'), 'utf8')).toBe(SKILL_MD)
  expect(bodies.filter(({ stream }) => stream !== true)).toHaveLength(1)
  expect(
    bodies
      .at(-1)
      ?.messages.filter(({ role }) => role === 'tool')
      .map(({ content }) => content),
  ).toEqual([expect.stringContaining('Round each share up to the next 10 cents.'), expect.stringContaining('19.2')])
})
