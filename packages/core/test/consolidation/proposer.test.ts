import { scriptedHostModel } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { ok } from '../../src/shared/result.ts'
import { asYaml, CREATE, openLibrary, reportOf, scripted } from './library.ts'

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
