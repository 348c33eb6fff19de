/** A real merge of skills by the curator, and a run that is cancelled, through the page's API. */
import { createHermes, inMemoryBackend } from '@hermes/core'
import { type ScriptedAnswer, scriptedHostModel } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import type { DoneView, JobView, SkillDetail, SkillsView, UpkeepView } from '../src/api/views.ts'
import { diffParts } from '../src/page/parts/diff-parts.ts'
import { openInspector, value } from './support.ts'

const skillText = (name: string, description: string, body: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\n${body}\n`

const SOURCES = {
  'deploy-staging': skillText('deploy-staging', 'Deploy the web app to staging', 'Run `pnpm deploy:staging` and watch the deploy log.'),
  'deploy-production': skillText(
    'deploy-production',
    'Deploy the web app to production',
    'Run `pnpm deploy:prod` and watch the deploy log.',
  ),
}

const UMBRELLA = skillText(
  'deploy-app',
  'Deploy the web app to staging or production',
  '## Staging\n\nRun `pnpm deploy:staging` and watch the deploy log.\n\n## Production\n\nRun `pnpm deploy:prod` and watch the deploy log.',
)

const PLAN = `\`\`\`yaml\n${JSON.stringify({
  consolidations: Object.keys(SOURCES).map((from) => ({
    from,
    into: 'deploy-app',
    method: 'create',
    reason: 'One page with a section for each place.',
    score: 0.95,
  })),
  prunings: [],
  umbrellas: [{ name: 'deploy-app', content: UMBRELLA }],
})}\n\`\`\`\n`

const setUp = async (answer: ScriptedAnswer) => {
  const model = scriptedHostModel(answer)
  const hermes = createHermes({ storage: inMemoryBackend(), actor: 'person', curator: { model, consolidate: true } })
  for (const [name, content] of Object.entries(SOURCES)) {
    value(await hermes.skillStore().create({ name, content }))
    value(await hermes.usageStore().record(name, 'create', { createdBy: 'agent' }))
  }
  const browser = await openInspector(hermes, { write: true })
  const names = async () => (await browser.json<SkillsView>('/api/skills?sort=name')).rows.map(({ name }) => name)
  const job = async () => (await browser.json<{ job: JobView }>('/api/job')).job
  const ended = async (): Promise<JobView> => {
    await expect.poll(async () => (await job()).state).not.toBe('running')
    return job()
  }
  return { hermes, model, names, job, ended, ...browser }
}

describe('a merge of skills', () => {
  it('is shown as a difference with both sources, and each source comes back', async () => {
    const { post, json, names, ended } = await setUp(PLAN)
    expect((await post('/api/jobs/curate')).status).toBe(200)
    const job = await ended()
    expect(job).toMatchObject({ state: 'done', message: expect.stringContaining("'deploy-staging' is now part of 'deploy-app'.") })
    expect(await names()).toEqual(['deploy-app'])
    const shown = await json<SkillDetail>('/api/skill?name=deploy-app')
    expect(shown.merges.map(({ name, text, reason }) => [name, text, reason]).toSorted()).toEqual(
      Object.entries(SOURCES)
        .map(([name, text]) => [name, text, 'One page with a section for each place.'])
        .toSorted(),
    )
    // What the screen draws for each: lines of the source that went, stayed and came.
    for (const { text = '' } of shown.merges) {
      const kinds = new Set(diffParts(text, shown.content).map(({ kind }) => kind))
      expect([...kinds].toSorted()).toEqual(['added', 'removed', 'same'])
    }
    for (const { id } of shown.merges) {
      const restored = await post('/api/skills', { action: 'restore', name: id })
      expect(((await restored.json()) as DoneView).message).toContain('is back')
    }
    expect(await names()).toEqual(['deploy-app', 'deploy-production', 'deploy-staging'])
    for (const [name, content] of Object.entries(SOURCES)) {
      expect((await json<SkillDetail>(`/api/skill?name=${name}`)).content).toBe(content)
    }
    expect((await json<SkillDetail>('/api/skill?name=deploy-app')).merges).toEqual([])
  })

  it('is undone as a whole by rolling back to the backup that the run names', async () => {
    const { post, names, ended } = await setUp(PLAN)
    await post('/api/jobs/curate')
    const [, backup] = /roll back to (\S+)\.$/.exec((await ended()).message) ?? []
    await post('/api/jobs/rollback', { id: backup })
    expect((await ended()).state).toBe('done')
    expect(await names()).toEqual(['deploy-production', 'deploy-staging'])
  })
})

describe('a curator run', () => {
  it('that is cancelled while the model works changes nothing, and another one can start', async () => {
    let finish = (_answer: string): void => {}
    const waiting = new Promise<string>((resolve) => {
      finish = resolve
    })
    let asked: AbortSignal | undefined
    const { post, json, names, job, ended, model } = await setUp(({ signal }) => {
      asked = signal
      return waiting
    })
    const started = (await (await post('/api/jobs/curate')).json()) as JobView
    await expect.poll(() => asked?.aborted).toBe(false)
    expect(await job()).toMatchObject({ id: started.id, state: 'running', cancellable: true })
    expect((await post('/api/jobs/curate')).status).toBe(409)
    expect((await post('/api/jobs/99/cancel')).status).toBe(404)
    expect((await post(`/api/jobs/${started.id}/cancel`)).status).toBe(200)
    expect((await ended()).state).toBe('cancelled')
    expect(asked?.aborted).toBe(true)
    // The answer comes too late.
    finish(PLAN)
    expect(await names()).toEqual(['deploy-production', 'deploy-staging'])
    expect((await json<UpkeepView>('/api/upkeep')).archived).toEqual([])
    expect((await post(`/api/jobs/${started.id}/cancel`)).status).toBe(404)
    await post('/api/jobs/curate')
    expect((await ended()).state).toBe('done')
    expect(model.requests).toHaveLength(2)
    expect(await names()).toEqual(['deploy-app'])
  })
})
