import { expect, it } from 'vitest'
import { writeOldSkills } from './old-skills.ts'
import { runHermes, runJson, temporaryHome } from './run-hermes.ts'

const NOW = Date.UTC(2026, 4, 23, 12)

it('archives each skill once, however often a curator run is rolled back and brought back', async () => {
  const home = temporaryHome()
  writeOldSkills(home, NOW, ['old', 'older'])
  const call = (at: number, ...args: readonly string[]) => runHermes([...args, '--home', home], { now: NOW + at * 60_000 })
  const archived = async () =>
    Reflect.get(Object((await runJson(['curator', 'status', '--home', home], { now: NOW })).told.value), 'archivedCount')
  expect(await call(0, 'curator', 'run')).toMatchObject({ code: 0 })
  expect(await archived()).toBe(2)
  for (const [at, count] of [0, 2, 0, 2].entries()) {
    expect(await call(at + 1, 'curator', 'rollback', '--yes')).toMatchObject({ code: 0 })
    expect(await archived()).toBe(count)
  }
})
