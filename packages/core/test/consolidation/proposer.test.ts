import { describe, expect, it } from 'vitest'
import { openRollback } from '../../src/curator/rollback/rollback-state.ts'
import { ok } from '../../src/shared/result.ts'
import { scriptedHostModel } from '../../src/testing/scripted-host-model.ts'
import { unwrap } from '../support/skill-library.ts'
import { asYaml, CREATE, consolidate, living, openLibrary, reportOf, scripted } from './library.ts'

describe('the model', () => {
  it('is asked once for each group, with the skills as data and a closed schema', async () => {
    const model = scriptedHostModel(asYaml(CREATE))
    const library = await openLibrary()
    expect(await reportOf(library, scripted('').proposer, { model })).toMatchObject({ calls: 1, created: ['pr-triage'] })
    const [request] = model.requests
    expect(request).toMatchObject({ purpose: 'review', mode: 'digest', maxOutputTokens: 16_000 })
    expect(request?.messages).toHaveLength(1)
    expect(request?.messages[0]?.content).toContain('<skill-file>\n---\nname: pr-triage-labels')
    for (const rule of ['off limits', 'Nothing is ever deleted', 'Pinned', 'neither for it nor against it', 'no reason to keep both'])
      expect(request?.system).toContain(rule)
    const schema = JSON.stringify(request?.schema)
    expect(schema.match(/"type":"object"/g)?.length).toBe(schema.match(/"additionalProperties":false/g)?.length)
  })

  it('may answer in JSON alone', async () => {
    const answer = {
      summary: 'Both are triage.',
      consolidations: CREATE.consolidations,
      prunings: [],
      umbrellas: CREATE.umbrellas.map((umbrella) => ({ ...umbrella, category: null, files: [] })),
    }
    const report = await reportOf(await openLibrary(), async () => ok(JSON.stringify(answer)))
    expect(report).toMatchObject({ created: ['pr-triage'], words: ['Both are triage.'] })
  })
})

describe('an unfinished rollback', () => {
  it('keeps every merge away', async () => {
    const library = await openLibrary()
    const backup = '2026-05-16T10-00-00Z'
    unwrap(
      await openRollback(library.storage, {
        target: backup,
        safety: backup,
        startedAt: 1,
        direction: 'forward',
        phase: 'staging',
        leavingSkills: [],
        leavingEntries: [],
      }),
    )
    const { proposer, requests } = scripted(CREATE)
    expect((await consolidate(library, proposer)).outcome).toMatchObject({ ok: false, error: { code: 'locked' } })
    expect(requests).toEqual([])
    expect(await living(library)).toHaveLength(3)
  })
})
