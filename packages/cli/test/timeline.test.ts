import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runHermes, runJson, skillText, temporaryHome } from './run-hermes.ts'

it('hermes timeline shows day by day what was learned, what it replaced and what was taken back', async () => {
  const home = temporaryHome()
  const run = (...args: readonly string[]) => runHermes([...args, '--home', home])
  await run('memory', 'add', '--to', 'user', 'Lives in Lisbon')
  await run('memory', 'replace', '--to', 'user', 'Lisbon', 'Lives in Porto')
  await run('memory', 'add', '--to', 'memory', 'Builds with pnpm')
  await run('undo', '--yes')
  const { code, stdout } = await run('timeline')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^[A-Z][a-z]+day, \d{1,2} [A-Z][a-z]+ \d{4}\n {2}\d\d:\d\d {2}learned +Lives in Lisbon\n/)
  expect(stdout).toMatch(/changed +Lives in Porto\n +instead of: Lives in Lisbon\n/)
  expect(stdout).toMatch(/learned +Builds with pnpm\n +your words, by a person · taken back · \S+\n/)
  expect(stdout).toContain("3 lines, times in UTC. 'hermes journal show <id>' says why, 'hermes undo <id>' takes it back.")
  const { told } = await runJson(['timeline', '--since', '1h', '--home', home])
  expect(told.value).toMatchObject({ days: [{ items: [{ event: 'learned', text: 'Lives in Lisbon' }, {}, {}] }] })
  expect((await runHermes(['timeline', '--since', 'soon', '--home', home])).stderr).toContain('--since takes a span')
})

it('what Python Hermes recorded of skills is in the timeline and in the journal, and is undone by its id', async () => {
  const home = temporaryHome()
  const run = (...args: readonly string[]) => runHermes([...args, '--home', home])
  const [before, after] = [skillText('deploy'), `${skillText('deploy')}More.\n`]
  const blob = (text: string) => createHash('sha256').update(text).digest('hex')
  mkdirSync(join(home, '.curator_backups/blobs'), { recursive: true })
  mkdirSync(join(home, 'skills/deploy'), { recursive: true })
  for (const text of [before, after]) writeFileSync(join(home, '.curator_backups/blobs', blob(text)), text)
  writeFileSync(join(home, 'skills/deploy/SKILL.md'), after)
  const file = (text: string) => [{ path: join(home, 'skills/deploy/SKILL.md'), sha256: blob(text) }]
  const entry = { id: '0a1b2c3d4e5f', ts: new Date().toISOString(), actor: 'curator', action: 'patch', skill: 'deploy', evidence: {} }
  writeFileSync(
    join(home, 'skills/.curator_ledger.jsonl'),
    `${JSON.stringify({ ...entry, before: file(before), after: file(after) })}\n{"id": "torn`,
  )
  const timeline = await run('timeline')
  expect(timeline.stdout).toMatch(/changed +the skill deploy\n +by the curator · Python Hermes · 0a1b2c3d\n/)
  expect(timeline.stderr).toContain("Line 2 of 'skills/.curator_ledger.jsonl'")
  expect((await run('journal', 'list')).stdout).toMatch(/0a1b2c3d .*Python Hermes: patch of the skill deploy/)
  expect((await run('journal', 'show', '0a1b2c3d')).stdout).toContain('Python Hermes: patch of the skill deploy (SKILL.md)')
  expect((await run('undo', '0a1b2c3d', '--yes')).stdout).toContain('put back the skill deploy as it was before')
  expect((await run('skills', 'show', 'deploy')).stdout).not.toContain('More.')
  expect((await run('timeline')).stdout).toContain('taken back')
})
