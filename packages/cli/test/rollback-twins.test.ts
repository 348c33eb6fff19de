import { expect, it } from 'vitest'
import { runHermes, runJson, skillText, temporaryHome, writeHome } from './run-hermes.ts'

const NOW = Date.UTC(2026, 4, 23, 12)
const DAY = 86_400_000

it('archives each skill once, however often a curator run is rolled back and brought back', async () => {
  const home = temporaryHome()
  const old = new Date(NOW - 200 * DAY).toISOString()
  const record = { created_by: 'agent', use_count: 1, last_used_at: old, created_at: old }
  writeHome(home, {
    'skills/old/SKILL.md': skillText('old'),
    'skills/older/SKILL.md': skillText('older'),
    'skills/.usage.json': JSON.stringify({ old: record, older: record }),
  })
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
