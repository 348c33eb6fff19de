/** Completions of what a home holds: names of skills, ids of proposals, records, entries and backups. */
import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fileSystemBackend } from '@hermes/core/file-system'
import { createPending } from '@hermes/core/journal'
import { describe, expect, it } from 'vitest'
import { runHermes, skillText, temporaryHome, writeHome } from './run-hermes.ts'

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

const isInstalled = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0

/** The error and the output of a script, for which `hermes` is the program from the sources. */
const inShell = (shell: string, script: string, home: string): readonly [Error | undefined, string] => {
  const bin = temporaryHome()
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  writeFileSync(join(bin, 'hermes'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`)
  chmodSync(join(bin, 'hermes'), 0o755)
  const env = { HOME: bin, PATH: `${bin}:${process.env['PATH']}`, HERMES_HOME: home }
  const { stdout, error } = spawnSync(shell, ['-c', script], { encoding: 'utf8', env })
  return [error, stdout.trim()]
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
    expect(await complete(home, 'memory', 'add', '--to', '')).toEqual(['memory', 'user'])
    const storage = fileSystemBackend(home)
    const why = { reason: 'It is a rule.', origin: 'tool' } as const
    const op = { action: 'add', content: 'Always end with a link' } as const
    const held = await createPending({ storage, clock: () => 1 }).hold({
      proposals: [{ target: 'user', op, rationale: 'said', score: 1 }],
      ...why,
    })
    if (!held.ok) throw held.error
    const id = held.value.id.slice(0, 8)
    for (const verb of ['approve', 'reject', 'pending']) expect(await complete(home, 'journal', verb, id.slice(0, 3))).toEqual([id])
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

  it('works in a real bash', async () => {
    const home = await library()
    const script = `
      source <(hermes completion bash)
      COMP_WORDS=(hermes curator pin deploy-); COMP_CWORD=3
      $(complete -p hermes | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
      echo "\${COMPREPLY[@]}"`
    expect(inShell('bash', script, home)).toEqual([undefined, 'deploy-docs'])
  })

  it.runIf(isInstalled('fish'))('works in a real fish', async () => {
    const home = await library()
    const script = 'hermes completion fish | source; complete -C "hermes curator pin deploy"'
    expect(inShell('fish', script, home)).toEqual([undefined, 'deploy\ndeploy-docs'])
  })
})
