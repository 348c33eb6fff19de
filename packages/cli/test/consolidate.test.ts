import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { describe, expect, it } from 'vitest'
import { IS_LONG_RUN } from '../../../scripts/support/rounds.ts'
import { type ChatRequest, openServer } from './openai-server.ts'
import { runHermes, runJson, spawnHermes, temporaryHome, writeHome } from './run-hermes.ts'

const NOW = Date.UTC(2026, 4, 23, 12)
const record = { created_by: 'agent', use_count: 3, last_used_at: '2026-05-20T12:00:00+00:00', created_at: '2026-01-01T00:00:00+00:00' }

const NAMES = ['deploy-staging', 'deploy-production'] as const

const skill = (name: string, line: string): string =>
  `---\nname: ${name}\ndescription: Deploy the web app to ${name.slice(7)}\n---\n\n# ${name}\n\nRun \`${line}\` and watch the deploy log.\n`

const TEXTS = {
  'deploy-staging': skill('deploy-staging', 'pnpm deploy:staging'),
  'deploy-production': skill('deploy-production', 'pnpm deploy:prod'),
}

const library = (config = ''): string => {
  const home = temporaryHome()
  writeHome(home, {
    ...Object.fromEntries(NAMES.map((name) => [`skills/ops/${name}/SKILL.md`, TEXTS[name]])),
    'skills/.usage.json': JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, record]))),
    ...(config === '' ? {} : { 'config.yaml': config }),
  })
  return home
}

const PLAN = `Both deploy the same app.

\`\`\`yaml
consolidations:
  - from: deploy-staging
    into: deploy-app
    method: create
    reason: One page with a section for each place.
    score: 0.95
  - from: deploy-production
    into: deploy-app
    method: create
    reason: One page with a section for each place.
    score: 0.95
prunings: []
umbrellas:
  - name: deploy-app
    category: ops
    content: |
      ---
      name: deploy-app
      description: Deploy the web app to staging or production
      ---

      # Deploy the web app

      ## Staging

      Run \`pnpm deploy:staging\` and watch the deploy log.

      ## Production

      Run \`pnpm deploy:prod\` and watch the deploy log.
\`\`\`
`

const run = (home: string, args: readonly string[], env: Readonly<Record<string, string>>) =>
  runHermes(['curator', 'run', ...args, '--home', home], { now: NOW, env: { COLUMNS: '100', ...env } })

const live = (home: string): readonly string[] => readdirSync(join(home, 'skills/ops')).sort()

const filesOf = (home: string): readonly string[] => readdirSync(home, { recursive: true, encoding: 'utf8' }).sort()

const said = ({ messages }: ChatRequest): string => JSON.stringify(messages)

describe('hermes curator run --consolidate', () => {
  it('asks the model about skills that may belong together, merges them with a backup, and can be undone', async () => {
    const { url, requests } = await openServer(() => PLAN)
    const home = library()
    const { code, stdout, stderr } = await run(home, ['--consolidate', '--model', 'my-model'], { OPENAI_BASE_URL: url })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/deploy-production +deploy-app +new skill +One page/)
    expect(stdout).toContain('2 skills were merged or archived.\n')
    expect(stdout).toMatch(/1 group of skills sent to the model, 0 unchanged since the last run\. 1 model call, about/)
    expect(requests.map(({ model }) => model)).toEqual(['my-model'])
    expect(said(requests[0]!)).toContain('pnpm deploy:staging')
    expect(live(home)).toEqual(['deploy-app'])
    expect(readFileSync(join(home, 'logs/curator/20260523-120000/REPORT.md'), 'utf8')).toContain('## Consolidation')
    const [, backup = ''] = /Undo: hermes curator rollback (\S+)/.exec(stdout) ?? []
    await runHermes(['curator', 'rollback', backup, '--yes', '--home', home], { now: NOW + 60_000 })
    expect(live(home)).toEqual(['deploy-production', 'deploy-staging'])
    for (const name of NAMES) expect(readFileSync(join(home, `skills/ops/${name}/SKILL.md`), 'utf8')).toBe(TEXTS[name])
  })

  it('shows the plan with --dry-run and writes nothing', async () => {
    const { url, requests } = await openServer(() => PLAN)
    const home = library()
    const before = filesOf(home)
    const { code, stdout } = await run(home, ['--consolidate', '--dry-run'], { OPENAI_BASE_URL: url, OPENAI_MODEL: 'from-env' })
    expect(code).toBe(0)
    expect(stdout).toMatch(/deploy-staging +deploy-app/)
    expect(stdout).toContain('2 skills would be merged or archived; nothing was done.')
    expect(requests.map(({ model }) => model)).toEqual(['from-env'])
    expect(filesOf(home)).toEqual(before)
  })

  it('takes the model that config.yaml names, and merges by config.yaml alone', async () => {
    const { url, requests } = await openServer(() => PLAN)
    const home = library('curator:\n  consolidate: true\n  review_model: claude-haiku-4-5\n')
    const { code, told } = await runJson(['curator', 'run', '--dry-run', '--home', home], { now: NOW, env: { OPENAI_BASE_URL: url } })
    expect(code).toBe(0)
    expect(told.value).toMatchObject({ consolidation: { dryRun: true, consolidated: [{ into: 'deploy-app' }, { into: 'deploy-app' }] } })
    expect(requests.map(({ model }) => model)).toEqual(['claude-haiku-4-5'])
  })

  it('asks no model unless it is asked to', async () => {
    const { url, requests } = await openServer(() => PLAN)
    expect(await run(library(), [], { OPENAI_BASE_URL: url, OPENAI_MODEL: 'm' })).toMatchObject({ code: 0 })
    expect(await run(library(), ['--model', 'm'], { OPENAI_BASE_URL: url })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--consolidate'),
    })
    expect(requests).toEqual([])
  })

  it.each([
    [{}, '', /ANTHROPIC_API_KEY,\s+OPENAI_API_KEY,\s+OLLAMA_HOST/],
    [
      { OPENAI_API_KEY: 'k' },
      'curator:\n  review_model: claude-haiku-4-5\n',
      /claude-haiku-4-5 \(curator\.review_model\s+in\s+config\.yaml\)\s+needs\s+ANTHROPIC_API_KEY/,
    ],
    [{ OPENAI_BASE_URL: 'http://box/v1' }, '', /Set\s+OPENAI_MODEL\s+or\s+use\s+--model\s+<name>/],
  ])('says which variables are missing with %j, and changes nothing', async (env, config, message) => {
    const home = library(config)
    const before = filesOf(home)
    const { code, stdout, stderr } = await run(home, ['--consolidate'], env)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
    expect(filesOf(home)).toEqual(before)
  })

  it('continues without merging if only config.yaml asks for it and there is no model', async () => {
    const home = library('curator:\n  consolidate: true\n')
    expect(await run(home, [], {})).toMatchObject({ code: 0, stderr: expect.stringContaining('Skills cannot be merged without a model') })
  })

  it('fails with what to check if the provider does, and moves nothing', async () => {
    const { url } = await openServer(() => 401)
    const home = library()
    const { code, stderr } = await run(home, ['--consolidate', '--model', 'm'], { OPENAI_BASE_URL: url })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: .*\bNo\.\s+Check\s+OPENAI_BASE_URL/)
    expect(live(home)).toEqual(['deploy-production', 'deploy-staging'])
  })

  if (IS_LONG_RUN)
    it('works as a process, with nothing on stdout beside the object', async () => {
      const { url } = await openServer(() => PLAN)
      const home = library()
      const now = { ...record, last_used_at: new Date().toISOString() }
      writeHome(home, { 'skills/.usage.json': JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, now]))) })
      const { code, stdout, stderr } = await spawnHermes(['curator', 'run', '-c', '--model', 'm', '--home', home, '--json'], {
        env: { OPENAI_BASE_URL: url },
      })
      expect([code, stderr]).toEqual([0, ''])
      expect(JSON.parse(stdout)).toMatchObject({ ok: true, value: { consolidation: { created: ['deploy-app'] } } })
      expect(existsSync(join(home, 'skills/ops/deploy-app/SKILL.md'))).toBe(true)
    })
})

describe('hermes undo, of a merge that waited', () => {
  const held = async () => {
    const home = library()
    const storage = fileSystemBackend(home)
    const hermes = createHermes({ storage, clock: () => NOW, trust: 'strict', curator: { model: async () => PLAN } })
    const ran = await hermes.curator.run({ consolidate: true })
    await storage.close()
    const [id = ''] = ran.ok ? (ran.value.consolidation?.held.flatMap(({ pendingIds }) => pendingIds) ?? []) : []
    let moment = NOW
    const call = (...args: readonly string[]) => {
      moment += 1_000
      return runHermes([...args, '--home', home], { now: moment })
    }
    const waiting = async () => (await runJson(['pending', '--home', home])).told.value
    return { home, id, call, waiting }
  }

  it.each(['the last write', 'its text', 'one of its skills'])(
    'brings all skills back, by %s, and lets no part of it wait again',
    async (by) => {
      const { home, id, call, waiting } = await held()
      expect(await call('pending', id, '--approve')).toMatchObject({ code: 0 })
      expect(live(home)).toEqual(['deploy-app'])
      const { told } = await runJson(['journal', 'list', '--home', home])
      const { records } = told.value as {
        readonly records: readonly { readonly id: string; readonly kind: string; readonly op?: { action: string } }[]
      }
      const action = by === 'its text' ? 'create' : 'archive'
      const record = records.find(({ kind, op }) => kind === 'applied' && op?.action === action)?.id ?? ''
      const undone = await call('undo', '--yes', ...(by === 'the last write' ? [] : [record]))
      expect(undone).toMatchObject({ code: 0, stderr: expect.stringContaining('let no proposal wait again') })
      expect(live(home)).toEqual(['deploy-production', 'deploy-staging'])
      for (const name of NAMES) expect(readFileSync(join(home, `skills/ops/${name}/SKILL.md`), 'utf8')).toBe(TEXTS[name])
      expect(await waiting()).toMatchObject({ pending: [] })
      expect(await call('undo', '--yes')).toMatchObject({ code: 0 })
      expect(live(home)).toEqual(['deploy-app'])
    },
  )

  it('says why one that was rejected cannot wait again', async () => {
    const { id, call, waiting } = await held()
    expect(await call('pending', id, '--reject')).toMatchObject({ code: 0 })
    expect(await call('undo', '--yes')).toMatchObject({ code: 1, stderr: expect.stringContaining('it cannot wait again') })
    expect(await waiting()).toMatchObject({ pending: [] })
  })
})
