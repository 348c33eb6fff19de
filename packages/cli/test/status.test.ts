import { describe, expect, it } from 'vitest'
import { runHermes, runJson, skillText, temporaryHome, writeHome } from './run-hermes.ts'

describe('hermes status', () => {
  it('shows how full memory is, what waits and what was written last', async () => {
    const home = temporaryHome()
    writeHome(home, {
      'memories/MEMORY.md': 'one\n§\ntwo',
      'skills/ops/deploy/SKILL.md': skillText('deploy'),
      'config.yaml': 'memory: { memory_char_limit: 100 }\n',
    })
    await runHermes(['memory', 'add', 'Lives in Oslo', '--to', 'user', '--home', home], { now: 1_000_000_000 })
    const { code, stdout, stderr } = await runHermes(['status', '--home', home], { now: 1_000_000_000 + 7_200_000 })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(
      `${home}\n  MEMORY.md   ▓░░░░░░░░░   9%  9/100 chars, 2 entries\n  USER.md     ▓░░░░░░░░░   0%  13/1,375 chars, 1 entry\n` +
        '  skills      1 skill: 1 active.\n  waits       nothing\n  last write  2h ago, add to USER.md: Lives in Oslo\n',
    )
    expect((await runJson(['status', '--home', home])).told.value).toMatchObject({
      home,
      stores: [{ entryCount: 2 }, { entryCount: 1 }],
      skills: { count: 1 },
      pendingCount: 0,
    })
  })

  it('fits on 50 columns', async () => {
    const home = temporaryHome()
    await runHermes(['memory', 'add', 'word '.repeat(40), '--home', home])
    const { stdout } = await runHermes(['status', '--home', home], { columns: 50 })
    for (const line of stdout.split('\n').slice(1)) expect(line.length).toBeLessThanOrEqual(50)
  })
})
