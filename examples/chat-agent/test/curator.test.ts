import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { openServer } from './openai-server.ts'
import { readRecording, runChat, temporaryFolder } from './run-chat.ts'

const DAY = 86_400_000

const ago = (days: number): string => new Date(Date.now() - days * DAY).toISOString()

const write = (home: string, path: string, text: string): void => {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}

const skillMd = (name: string): string => `---\nname: ${name}\ndescription: How to ${name}\n---\n\n1. Do it.\n`

const record = (idleDays: number) => ({
  created_by: 'agent',
  state: 'active',
  pinned: false,
  use_count: 1,
  last_used_at: ago(idleDays),
  created_at: ago(400),
})

/** An agent's skill last used 100 days ago, another one 5 days ago, and a curator that last ran 10 days ago. */
const agedHome = (config?: string): string => {
  const home = temporaryFolder()
  for (const name of ['fax-the-office', 'write-notes', 'by-hand']) write(home, `skills/${name}/SKILL.md`, skillMd(name))
  write(home, 'skills/.usage.json', JSON.stringify({ 'fax-the-office': record(100), 'write-notes': record(5) }))
  write(home, 'skills/.curator_state', JSON.stringify({ last_run_at: ago(10), run_count: 3, paused: false }))
  if (config !== undefined) write(home, 'config.yaml', config)
  return home
}

it('archives at its start what was not used for 100 days, before the catalogue is frozen, and tells it', async () => {
  const home = agedHome()
  const run = await runChat({ args: ['--home', home], lines: ['what skills do you have?', '/quit'] })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  expect(run.stdout).toContain('· curator: checked 2 skills, 0 stale, 1 archived\n  fax-the-office: archived. ')
  expect(run.stdout).toMatch(/nothing is deleted; the backup \S+ has it as it was/)
  // The session's catalogue was frozen after the run.
  expect(run.stdout).toMatch(/These are my skills:\n(?!.*fax)/)
  expect(run.stdout.match(/fax-the-office/g)).toHaveLength(1)
})

it('takes its settings from config.yaml, tells what is odd in it once, and lets the command line win', async () => {
  const home = agedHome(
    'memory:\n  nudge_interval: 3\n  memory_char_limit: 999\nskills:\n  creation_nudge_interval: 7\ncurator:\n  archive_after_days: never\n  stale_after: 5\n',
  )
  const run = await runChat({ args: ['--home', home, '--skill-nudge', '4'], lines: ['/new', '/quit'] })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  expect(run.stdout).toContain('review   every 3 turns and every 4 tool steps')
  expect(run.stdout).toContain('0/999')
  expect(run.stdout).toContain('· curator: checked 2 skills, 1 stale, 0 archived')
  expect(run.stdout.match(/config\.yaml, line 8: 'curator\.stale_after' has no effect/g)).toHaveLength(1)
})

it('does not start with a config.yaml that says something wrong, and names the line', async () => {
  const run = await runChat({ args: ['--home', agedHome('curator:\n  archive_after_days: soon\n')], lines: ['hello', '/quit'] })
  expect(run).toMatchObject({ code: 2, stdout: '' })
  expect(run.stderr).toMatch(/^config\.yaml, line 2: 'curator\.archive_after_days' must be .*\n$/)
})

const steps = (first: string): string => `---\nname: pr-triage-one\ndescription: How to triage\n---\n\n1. ${first}\n`

const PLAN = `They are one.\n\`\`\`yaml
consolidations:
  - { from: pr-triage-two, into: pr-triage-one, reason: the same task, method: merge }
prunings: []
umbrellas:
  - name: pr-triage-one
    content: |
${steps('Read the labels.\n2. Ask the author.')
  .trimEnd()
  .split('\n')
  .map((line) => `      ${line}`)
  .join('\n')}
\`\`\``

it('merges with the model of the chat if config.yaml says so, and tells it', async () => {
  const { url, bodies } = await openServer(({ stream }) => ({ text: stream === true ? 'Hello.' : PLAN }))
  const home = agedHome('curator:\n  consolidate: true\n  ')
  write(home, 'skills/pr-triage-one/SKILL.md', steps('Read the labels.'))
  write(home, 'skills/pr-triage-two/SKILL.md', steps('Ask the author.').replace('one', 'two'))
  write(home, 'skills/.usage.json', JSON.stringify({ 'pr-triage-one': record(5), 'pr-triage-two': record(5) }))
  const file = join(temporaryFolder(), 'requests.jsonl')
  const run = await runChat({
    args: ['--home', home, '--record', file],
    env: { OPENAI_BASE_URL: url, OPENAI_MODEL: 'small' },
    lines: ['hello', '/quit'],
  })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  expect(bodies.map(({ model }) => model)).toEqual(['small', 'small', 'small'])
  expect(readRecording(file).map(({ purpose }) => purpose)).toEqual(['review', 'turn', 'review'])
  expect(run.stdout).toContain('· curator: checked 2 skills, 0 stale, 0 archived, 1 merged\n  pr-triage-two: merged into pr-triage-one\n')
  expect(readFileSync(join(home, 'skills/pr-triage-one/SKILL.md'), 'utf8')).toContain('Ask the author.')
  expect(readdirSync(join(home, 'skills'))).not.toContain('pr-triage-two')
})
