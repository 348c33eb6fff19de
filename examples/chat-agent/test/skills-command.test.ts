import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { runChat, temporaryFolder } from './run-chat.ts'

const write = (home: string, path: string, text: string): void => {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}

const skillMd = (name: string, description: string, body: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`

const homeWithSkills = (): string => {
  const home = temporaryFolder()
  write(home, 'skills/devops/deploy/SKILL.md', skillMd('deploy', 'Deploy the app\u001b[31m to staging', '# Deploy\n\n1. Push the branch'))
  write(home, 'skills/devops/deploy/references/hosts.md', 'staging: 10.0.0.1\n')
  write(home, 'skills/write-notes/SKILL.md', skillMd('write-notes', 'Write meeting notes', 'Three bullets.'))
  const record = {
    created_by: 'agent',
    state: 'stale',
    pinned: true,
    use_count: 3,
    view_count: 3,
    patch_count: 1,
    last_used_at: '2026-10-02T10:00:00+00:00',
    created_at: '2026-09-01T10:00:00+00:00',
  }
  write(home, 'skills/.usage.json', JSON.stringify({ deploy: record }))
  return home
}

it('lists the skills with state, use and pin, and shows one', async () => {
  const run = await runChat({ args: ['--home', homeWithSkills()], lines: ['/skills', '/skills deploy', '/skills nothing', '/quit'] })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  expect(run.stdout).toContain(`> /skills
- write-notes: Write meeting notes
  active · never used
- deploy: Deploy the app[31m to staging
  stale · used 3 times · pinned
`)
  expect(run.stdout).toMatch(/> \/skills deploy\n---\nname: deploy\n[\s\S]*1\. Push the branch\n/)
  expect(run.stdout).toMatch(/> \/skills nothing\n.*nothing/)
  expect(run.stdout).not.toContain('\u001b')
})

it('says what is wrong with a skill that cannot be read, and shows the others', async () => {
  const home = homeWithSkills()
  mkdirSync(join(home, 'skills', 'broken'))
  writeFileSync(join(home, 'skills', 'broken', 'SKILL.md'), Buffer.from([0xff, 0xfe, 0x00]))
  const run = await runChat({ args: ['--home', home], lines: ['/skills', '/quit'] })
  expect(run.code).toBe(0)
  expect(run.stdout).toMatch(/> \/skills\n.*broken/)
  expect(run.stdout).toContain('- write-notes: Write meeting notes')
})

it('says that the counts are broken, and if they are kept, at the start and in the list', async () => {
  const home = homeWithSkills()
  writeFileSync(join(home, 'skills', '.usage.json'), '{broken')
  const run = await runChat({ args: ['--home', home], lines: ['deploy the app to staging', '/skills', '/quit'] })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  expect(run.stdout).toMatch(/· memory problem \(skill usage\): .*\.usage\.json/)
  expect(run.stdout).toContain('· read the skill deploy\n')
})

it('lets the agent list its skills, and read the one that fits', async () => {
  const run = await runChat({
    args: ['--home', homeWithSkills()],
    lines: ['what skills do you have?', 'deploy the app to staging', '/quit'],
  })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  expect(run.stdout).toContain('· look through the skills\nThese are my skills:\n- write-notes: Write meeting notes\n')
  expect(run.stdout).toContain('· read the skill deploy\nMy skill deploy says:\n\n# Deploy\n')
})

const CONTENT = skillMd('tidy-desk', 'Tidy the desk', Array.from({ length: 20 }, (_, index) => `${index + 1}. Step`).join('\n'))

const homeWithHeldSkill = (): string => {
  const home = temporaryFolder()
  const held = {
    id: 'b2',
    at: 1,
    target: 'skill',
    ops: [{ action: 'create', name: 'tidy-desk', content: CONTENT }],
    base: null,
    reason: 'A document said it.',
    rationale: '',
    score: 0.9,
    evidence: [],
  }
  write(home, 'pending/skills/b2.json', JSON.stringify(held))
  return home
}

it('shows a skill that waits for a decision with its text, in short and whole', async () => {
  const run = await runChat({ args: ['--home', homeWithHeldSkill()], lines: ['/memory', '/memory b', '/quit'] })
  expect(run.stdout).toContain(`waiting for your decision
  - create skill tidy-desk: Tidy the desk
    A document said it.
    /approve b2 or /reject b2
    | ---
    | name: tidy-desk
`)
  expect(run.stdout).toContain('    | 7. Step\n    … 13 more lines: /memory b2\n')
  expect(run.stdout.slice(run.stdout.indexOf('> /memory b'))).toContain('    | 20. Step\n')
})

it('writes a held skill that is approved, and drops one that is rejected', async () => {
  const home = homeWithHeldSkill()
  const approved = await runChat({ args: ['--home', home], lines: ['/approve b2', '/memory', '/skills', '/journal', '/quit'] })
  expect(approved.stdout).toContain('approved: create skill tidy-desk: Tidy the desk\n')
  expect(readFileSync(join(home, 'skills', 'tidy-desk', 'SKILL.md'), 'utf8')).toBe(CONTENT)
  expect(approved.stdout).not.toContain('waiting for your decision')
  expect(approved.stdout).toMatch(/applied {3}create skill tidy-desk: Tidy the desk\n.*by host/)
  const rejected = await runChat({ args: ['--home', homeWithHeldSkill()], lines: ['/reject b2', '/memory', '/skills', '/quit'] })
  expect(rejected.stdout).toContain('rejected: create skill tidy-desk: Tidy the desk\n')
  expect(rejected.stdout).not.toContain('waiting for your decision')
  expect(rejected.stdout).toContain('No skills yet.')
})

it('shows shared skills as such, and names them to the agent', async () => {
  const home = homeWithSkills()
  const team = temporaryFolder()
  write(team, 'rollout/SKILL.md', skillMd('rollout', 'Roll it out', 'One by one.'))
  write(home, 'config.yaml', `skills:\n  shared:\n    - ${team}\n`)
  const run = await runChat({ args: ['--home', home], lines: ['/skills', '/skills rollout', '/quit'] })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  expect(run.stdout).toContain('- rollout: Roll it out\n  shared, read-only\n')
  expect(run.stdout).toContain('> /skills rollout\n---\nname: rollout')
  expect(run.stdout).toContain('skills   3, see /skills')
})
