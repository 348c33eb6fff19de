/** The real Codex, connected by `connect`, and Claude Code in the next session: one memory for both. */
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect, disconnect, HOST_SETUPS, planConnection } from '@hermes/coding-agents'
import { afterEach, expect, it } from 'vitest'
import { type ClaudeMachine, claudeMachine, runProgram } from '../support/claude-machine.ts'
import { codexProgram } from '../support/host-programs.ts'
import { processesOf } from '../support/processes-of.ts'

let machine: ClaudeMachine | undefined
const before = { ...process.env }
afterEach(async () => {
  process.env = { ...before }
  await machine?.remove()
  machine = undefined
})

const PROPOSAL = {
  ...{ kind: 'memory', target: 'user', action: 'add', content: "The user's name is Ada", score: 0.9 },
  ...{ quote: 'My name is Ada', evidence: [{ quote: 'My name is Ada' }], rationale: 'It was said.' },
}

it('what Codex learned in ten turns, Codex and Claude Code know in their next sessions', async () => {
  const claude = await claudeMachine(
    ({ said, tools }) => {
      if (tools.length > 0) return 'Fine.'
      return JSON.stringify({ proposals: said.includes('My name is Ada') ? [PROPOSAL] : [] })
    },
    { withPlugin: false },
  )
  machine = claude
  const config = join(claude.folder, '.codex')
  process.env = { ...before, CODEX_HOME: config, CLAUDE_CONFIG_DIR: join(claude.folder, '.claude') }
  await mkdir(config)
  const settings = [
    ...['model = "gpt-5"', 'model_provider = "scripted"', 'approval_policy = "never"', 'sandbox_mode = "read-only"'],
    ...['[model_providers.scripted]', 'name = "scripted"', `base_url = "${claude.endpoint.url}/v1"`, 'wire_api = "responses"'],
    ...['env_key = "SCRIPTED_KEY"', ''],
  ].join('\n')
  await writeFile(join(config, 'config.toml'), settings)
  // The other agents have no folder here.
  const setups = HOST_SETUPS.filter(({ name }) => name === 'codex' || name === 'claude-code')
  for (const setup of setups) await connect(claude.home, setup, await planConnection(claude.home, setup))
  const program = await codexProgram()
  await chmod(program, 0o755)
  await symlink(program, join(claude.folder, 'bin/codex'))
  const env = { ...claude.env, CODEX_HOME: config, SCRIPTED_KEY: 'none' }
  // A person lets Codex trust the hooks once; there is nobody here.
  const flags = ['--dangerously-bypass-hook-trust', '--skip-git-repo-check']
  const codex = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runProgram('codex', ['exec', ...args], claude.project, env)
    expect(code, stderr + stdout).toBe(0)
    return stderr
  }
  const [, session = ''] = /session id: (\S+)/.exec(await codex(...flags, 'My name is Ada.')) ?? []
  for (let turn = 2; turn <= 10; turn++) await codex('resume', ...flags, session, `This is turn ${turn}`)
  await expect.poll(() => claude.document('memories/USER.md'), { timeout: 120_000 }).toContain("The user's name is Ada")
  const { requests } = claude.endpoint
  const reviews = requests.filter(({ tools }) => tools.length === 0)
  expect(reviews).toHaveLength(1)
  // The prefix of each step is the step before.
  const steps = requests.filter(({ tools }) => tools.length > 0).map(({ body }) => JSON.stringify(body['input']).slice(0, -1))
  for (const [index, step] of steps.slice(1).entries()) expect(step.startsWith(steps[index]!), `step ${index + 2}`).toBe(true)
  await codex(...flags, 'Hello again')
  expect(JSON.stringify(requests.at(-1)?.body)).toContain("The user's name is Ada")
  await claude.turn('55555555-5555-4555-8555-555555555555', 'Hello', { isFirst: true })
  expect(JSON.stringify(requests.at(-1)?.body)).toContain("The user's name is Ada")
  await expect.poll(() => processesOf(claude.folder), { timeout: 30_000, interval: 500 }).toEqual([])
  for (const setup of setups) await disconnect(claude.home, setup)
  expect(await readFile(join(config, 'config.toml'), 'utf8')).toBe(settings)
})
