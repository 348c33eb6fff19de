import { expect, it } from 'vitest'
import { runHermes, runJson, temporaryHome } from './run-hermes.ts'

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
