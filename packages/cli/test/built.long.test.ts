/** The installed command at streams that are closed or full, and completing in a shell. */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { temporaryHome } from './run-hermes.ts'

const DIST = fileURLToPath(new URL('../dist', import.meta.url))
const MAIN = join(DIST, 'main.js')
const run = promisify(execFile)

const bashVersion = (): number => {
  try {
    return Number(execFileSync('bash', ['-c', 'echo $BASH_VERSINFO'], { encoding: 'utf8' }))
  } catch {
    return 0
  }
}

/** The built command under its own name, on a separate PATH. */
const installed = (): string => {
  const bin = join(temporaryHome(), 'bin')
  mkdirSync(bin)
  chmodSync(MAIN, 0o755)
  symlinkSync(MAIN, join(bin, 'hermes'))
  return [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(':')
}

const COMPLETE = `
source <(hermes completion)
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hermes_yargs_completions; echo "\${COMPREPLY[*]}"; }
try hermes c
try hermes curator re
try hermes curator run --con
`

const hasFish = (): boolean => {
  try {
    return execFileSync('fish', ['--version'], { encoding: 'utf8' }).startsWith('fish')
  } catch {
    return false
  }
}

const COMPLETE_IN_FISH = `
hermes completion | source
complete -C 'hermes conf'
complete -C 'hermes curator res'
complete -C 'hermes curator '
complete -C 'hermes curator run --con'
`

describe('the built command', () => {
  it.runIf(existsSync('/dev/full'))('says in one line that the disk is full', async () => {
    const home = temporaryHome()
    const shell = `"${process.execPath}" "${MAIN}" skills list --home "${home}" > /dev/full`
    await expect(run('sh', ['-c', shell])).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^error: .*ENOSPC.*\n$/) })
  })

  it('continues if nobody reads what it says beside the result', async () => {
    const child = spawn(process.execPath, [MAIN, 'skills', 'list', '--home', '/no/such/home'], { stdio: ['ignore', 'ignore', 'pipe'] })
    // Closes stderr while the command is still starting.
    child.stderr.destroy()
    const [code] = await once(child, 'close')
    expect(code).toBe(0)
  })

  it.runIf(bashVersion() >= 4)('completes nouns, verbs and options in a real bash', async () => {
    const { stdout } = await run('bash', ['--norc', '--noprofile', '-c', COMPLETE], { env: { PATH: installed(), SHELL: '/bin/bash' } })
    expect(stdout).toBe('curator config connect completion\nresume restore\n--consolidate\n')
  })

  it.runIf(hasFish())('completes nouns, verbs and options in a real fish, with what they do', async () => {
    const { stdout } = await run('fish', ['--no-config', '-c', COMPLETE_IN_FISH], {
      env: { ...process.env, PATH: `${installed()}:${process.env['PATH']}`, SHELL: '/usr/bin/fish' },
    })
    const words = stdout.trim().split('\n')
    expect(words[0]).toBe('config\tthe settings of the home')
    expect(words.map((line) => line.split('\t')[0])).toEqual(expect.arrayContaining(['resume', 'restore', 'status', '--consolidate']))
  })
})
