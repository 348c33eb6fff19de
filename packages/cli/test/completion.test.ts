/** Completions of what a home holds: names of skills, ids of proposals, records, entries and backups. */

import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileSystemBackend } from '@hermes/core/file-system'
import { createPending } from '@hermes/core/journal'
import { describe, expect, it } from 'vitest'
import { IS_LONG_RUN } from '../../../scripts/support/rounds.ts'
import { MAIN, runHermes, skillText, temporaryHome, writeHome } from './run-hermes.ts'

const library = async () => {
  const home = temporaryHome()
  writeHome(home, Object.fromEntries(['deploy', 'deploy-docs', 'tidy'].map((name) => [`skills/ops/${name}/SKILL.md`, skillText(name)])))
  await runHermes(['curator', 'archive', 'tidy', '--home', home])
  await runHermes(['memory', 'add', 'Lives in Oslo', '--to', 'user', '--home', home])
  await runHermes(['memory', 'remove', 'Oslo', '--home', home])
  await runHermes(['curator', 'backup', '--home', home])
  return home
}

const complete = async (home: string, ...words: readonly string[]): Promise<readonly string[]> => {
  const args = ['--get-yargs-completions', 'hermes', '--home', home, ...words]
  const { code, stdout, stderr } = await runHermes(args)
  expect([code, stderr]).toEqual([0, ''])
  return stdout.split('\n').filter((line) => line !== '')
}

describe('hermes, completing', () => {
  it('offers the skills that can be named, and those in the archive to restore', async () => {
    const home = await library()
    expect(await complete(home, 'curator', 'pin', 'dep')).toEqual(['deploy', 'deploy-docs'])
    expect(await complete(home, 'skills', 'show', '')).toEqual(['deploy', 'deploy-docs'])
    expect(await complete(home, 'curator', 'restore', '')).toEqual(['tidy'])
    expect(await complete(home, 'curator', 'archive', 'deploy', '--into', 'deploy-')).toEqual(['deploy-docs'])
  })

  it.each(['constructor', '__proto__', 'toString'])('takes %s for a word like any other', async (word) => {
    const home = await library()
    expect(await complete(home, word, '')).toEqual(await complete(home, 'words', ''))
    expect(await complete(home, word, 'x', '')).toEqual(await complete(home, 'words', 'x', ''))
  })

  it('offers ids of backups, entries, records and proposals, and the stores', async () => {
    const home = await library()
    expect(await complete(home, 'curator', 'rollback', '')).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT/)])
    expect(await complete(home, 'memory', 'restore', '')).toEqual([expect.stringMatching(/^user-[0-9a-f]{6}$/)])
    expect((await complete(home, 'journal', 'show', '')).length).toBeGreaterThan(3)
    expect(await complete(home, 'memory', 'add', '--to', '')).toEqual(['memory', 'user', 'project'])
    const storage = fileSystemBackend(home)
    const why = { reason: 'It is a rule.', origin: 'tool' } as const
    const op = { action: 'add', content: 'Always end with a link' } as const
    const held = await createPending({ storage, clock: () => 1 }).hold({
      proposals: [{ target: 'user', op, rationale: 'said', score: 1 }],
      ...why,
    })
    if (!held.ok) throw held.error
    const id = held.value.id.slice(0, 8)
    expect(await complete(home, 'pending', id.slice(0, 3))).toEqual([id])
  })

  it('offers nothing and no error where a home is missing or broken, and options and verbs as before', async () => {
    const home = await library()
    expect(await complete(join(home, 'none'), 'curator', 'pin', '')).toEqual([])
    expect(await complete(home, 'curator', 'pi')).toContain('pin')
    expect(await complete(home, 'curator', 'pin', '--')).toContain('--json')
    // Short forms are for typing.
    expect((await complete(home, 'curator', 'run', '--')).filter((option) => /^--\w$/.test(option))).toEqual([])
    writeHome(home, { 'config.yaml': 'memory: [' })
    expect(await complete(home, 'curator', 'pin', 'deploy-')).toEqual(['deploy-docs'])
  })
})

if (IS_LONG_RUN) {
  /** A home with two skills. */
  const homeWithSkills = (): string => {
    const home = temporaryHome()
    writeHome(home, Object.fromEntries(['deploy', 'deploy-docs'].map((name) => [`skills/ops/${name}/SKILL.md`, skillText(name)])))
    return home
  }

  const isInstalled = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0

  /** The error and the output of a script, for which `hermes` is the built command. */
  const inShell = (shell: string, script: string, home: string): readonly [Error | undefined, string] => {
    const bin = temporaryHome()
    writeFileSync(join(bin, 'hermes'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`)
    chmodSync(join(bin, 'hermes'), 0o755)
    const env = {
      HOME: bin,
      PATH: `${bin}:${process.env['PATH']}`,
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      HERMES_HOME: home,
    }
    const { stdout, error } = spawnSync(shell, ['-c', script], { encoding: 'utf8', env })
    return [error, stdout.trim()]
  }

  it('hermes completes in a real bash', () => {
    const home = homeWithSkills()
    const script = `
      source <(hermes completion bash)
      COMP_WORDS=(hermes curator pin deploy-); COMP_CWORD=3
      $(complete -p hermes | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
      echo "\${COMPREPLY[@]}"`
    expect(inShell('bash', script, home)).toEqual([undefined, 'deploy-docs'])
  })

  it.runIf(isInstalled('fish'))('hermes completes in a real fish', () => {
    const home = homeWithSkills()
    const script = 'hermes completion fish | source; complete -C "hermes curator pin deploy"'
    expect(inShell('fish', script, home)).toEqual([undefined, 'deploy\ndeploy-docs'])
  })
}
