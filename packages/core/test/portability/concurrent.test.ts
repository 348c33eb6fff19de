/** An export during concurrent writes: each document is complete, and no entry loses its provenance record. */
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import type { ReviewGate } from '../../src/gate/review-gate.ts'
import { ok } from '../../src/shared/result.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { temporaryFolder } from '../storage/support/temporary-home.ts'
import { skillText, unwrap } from '../support/skill-library.ts'
import { openHome } from './homes.ts'

/** Entries, over all exports. */
const ENOUGH = rounds(40)

describe('an export in progress while sessions write', () => {
  it('can be imported without a refusal, and every entry is whose it was', async () => {
    const { hermes, storage } = openHome(fileSystemBackend(temporaryFolder()))
    let isDone = false
    const writers = [0, 1].map(async (writer) => {
      const store = hermes.memoryStore()
      const skills = hermes.skillStore()
      for (let round = 0; !isDone && round < 500; round++) {
        const content = `Fact ${writer} of round ${round}`
        unwrap(await store.apply('memory', { action: 'add', content }, { origin: 'tool' }))
        if (round >= 2)
          unwrap(await store.apply('memory', { action: 'remove', oldText: `Fact ${writer} of round ${round - 2}` }, { origin: 'user' }))
        const name = `skill-${writer}-${round}`
        unwrap(await skills.create({ name, content: skillText(name) }))
        if (round >= 1) unwrap(await skills.archive(`skill-${writer}-${round - 1}`, { reason: 'Done.' }))
      }
    })
    let entries = 0
    for (let attempt = 0; attempt < 300 && entries < ENOUGH; attempt++) {
      const archive = unwrap(await hermes.export())
      const copy = openHome()
      copy.clock.advance(365 * 24 * 3_600_000)
      expect(unwrap(await copy.hermes.import(archive)).refused).toEqual([])
      const facts = unwrap(await copy.hermes.memoryStore().facts('memory'))
      expect(facts.filter(({ origin }) => origin !== 'tool')).toEqual([])
      entries += facts.length
    }
    isDone = true
    await Promise.all(writers)
    await storage.close()
    expect(entries).toBeGreaterThanOrEqual(ENOUGH)
  })
})

it('asks a gate once about each item of an import into a home whose skills are used meanwhile', async () => {
  const source = openHome()
  for (const name of ['one', 'two', 'three']) unwrap(await source.hermes.skillStore().create({ name, content: skillText(name) }))
  unwrap(await source.hermes.usageStore().record('one', 'create'))
  const { storage } = openHome()
  const usage = openHome(storage).hermes.usageStore()
  let asked = 0
  const gate: ReviewGate = async () => {
    asked++
    unwrap(await usage.record('mine', 'view'))
    return ok({ verdict: 'approve', reason: 'Fine.' })
  }
  const { hermes } = openHome(storage, { gate })
  const report = unwrap(await hermes.import(unwrap(await source.hermes.export()), { trusted: false }))
  expect([asked, report.counts.skills.added]).toEqual([3, 3])
  const all = await hermes.usageStore().all()
  expect([all.get('mine')?.viewCount, all.has('one')]).toEqual([3, true])
})
