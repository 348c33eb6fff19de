/** An export during concurrent writes: each document is complete, and no entry loses its provenance record. */
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
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
