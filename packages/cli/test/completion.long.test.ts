/** Completion in real shells. */
import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { MAIN, skillText, temporaryHome, writeHome } from './run-hermes.ts'

/** A home with two skills. */
const library = (): string => {
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
  const env = { HOME: bin, PATH: `${bin}:${process.env['PATH']}`, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], HERMES_HOME: home }
  const { stdout, error } = spawnSync(shell, ['-c', script], { encoding: 'utf8', env })
  return [error, stdout.trim()]
}

it('hermes completes in a real bash', () => {
  const home = library()
  const script = `
    source <(hermes completion bash)
    COMP_WORDS=(hermes curator pin deploy-); COMP_CWORD=3
    $(complete -p hermes | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
    echo "\${COMPREPLY[@]}"`
  expect(inShell('bash', script, home)).toEqual([undefined, 'deploy-docs'])
})

it.runIf(isInstalled('fish'))('hermes completes in a real fish', () => {
  const home = library()
  const script = 'hermes completion fish | source; complete -C "hermes curator pin deploy"'
  expect(inShell('fish', script, home)).toEqual([undefined, 'deploy\ndeploy-docs'])
})
