import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runHermes, runJson, temporaryHome, writeHome } from './run-hermes.ts'

describe('a home whose config.yaml is wrong', () => {
  it.each(['memory show', 'memory why Oslo', 'pending', 'journal list', 'stats', 'skills list', 'curator status', 'search Oslo'])(
    'is read with the default settings by hermes %s',
    async (words) => {
      const home = temporaryHome()
      writeHome(home, { 'config.yaml': 'memory: [\n', 'memories/USER.md': 'Lives in Oslo' })
      const args = [...words.split(' '), '--home', home]
      const { code, stdout, stderr } = await runHermes(args)
      expect([code, stdout]).toEqual([0, expect.stringMatching(/\S/)])
      expect(stderr).toMatch(new RegExp(`^warning: ${home}/config\\.yaml, line \\d: it is not YAML .+ 'hermes doctor' .+\\n$`))
      expect((await runJson(args)).told).toMatchObject({ ok: true, warnings: [expect.stringContaining(`${home}/config.yaml`)] })
    },
  )

  it.each(['memory add x', 'memory pin Oslo', 'curator run', 'undo', 'forget Oslo --yes', 'skills manage deploy'])(
    'is not changed by hermes %s',
    async (words) => {
      const home = temporaryHome()
      writeHome(home, { 'config.yaml': 'memory:\n  memory_enabled: "false"\n', 'memories/USER.md': 'Lives in Oslo' })
      const { code, stdout, stderr } = await runHermes([...words.split(' '), '--home', home])
      expect([code, stdout, readdirSync(home).sort()]).toEqual([1, '', ['config.yaml', 'memories']])
      expect(stderr).toMatch(
        new RegExp(`^error: ${home}/config\\.yaml, line 2: 'memory\\.memory_enabled' must be true or false.+ 'hermes doctor' `),
      )
    },
  )
})
