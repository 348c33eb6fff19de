/** A person or another program may move an archived skill without its manifest; a backup then holds a manifest that describes nothing. */

import { manualClock } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { createSkillBackup, rollback } from '../../test/support/open-curator.ts'
import { remove, skillText, textAt, unwrap, write } from '../../test/support/skill-library.ts'
import { manifestPath } from '../skills/archive.ts'
import { SkillStore } from '../skills/skill-store.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'

const MINUTES = 60_000

const open = async () => {
  const clock = manualClock(Date.UTC(2026, 4, 16, 10))
  const storage = inMemoryBackend()
  const skills = new SkillStore({ storage, clock })
  await write(storage, { 'skills/deploy/SKILL.md': skillText('deploy') })
  return {
    clock,
    storage,
    skills,
    archive: async (name: string) => {
      const archived = unwrap(await skills.archive(name, { reason: `archived at ${clock()}` }))
      clock.advance(5 * MINUTES)
      return archived
    },
    archived: async () => unwrap(await skills.listArchived()).entries,
    backUp: async () => {
      const { files } = unwrap(await createSkillBackup({ storage, clock, reason: 'manual' }))
      clock.advance(5 * MINUTES)
      return files.map(({ path }) => path)
    },
    goBack: async () => unwrap(await rollback({ storage, clock, target: '2026-05-16' })),
  }
}

const OF_TIDY = manifestPath('tidy')

describe('a manifest in a backup without its folder', () => {
  it('does not replace the manifest of a skill that was archived since under the same name', async () => {
    const { storage, archive, archived, backUp, goBack } = await open()
    await write(storage, { 'skills/tidy/SKILL.md': skillText('tidy') })
    await archive('tidy')
    await remove(storage, 'skills/.archive/tidy/SKILL.md')
    expect(await backUp()).toEqual([OF_TIDY, 'skills/deploy/SKILL.md'])
    await write(storage, { 'skills/ops/tidy/SKILL.md': skillText('tidy', 'Another one.') })
    const another = await archive('tidy')
    expect(another).toMatchObject({ path: 'tidy', from: 'ops/tidy' })

    await goBack()

    expect(await archived()).toEqual([another])
  })

  it('is not brought back, and leaves with the entry that has its name now', async () => {
    const { storage, skills, archive, archived, backUp, goBack } = await open()
    await write(storage, { 'skills/tidy/SKILL.md': skillText('tidy') })
    const manifest = {
      version: 1,
      name: 'tidy',
      from: 'tidy',
      category: null,
      description: '',
      reason: 'unused',
      archivedAt: 1,
      absorbedInto: null,
    }
    await write(storage, { [OF_TIDY]: JSON.stringify(manifest) })
    expect(await backUp()).toEqual([OF_TIDY, 'skills/deploy/SKILL.md', 'skills/tidy/SKILL.md'])
    await archive('tidy')

    const { restored } = await goBack()

    expect(restored).toEqual(['skills/tidy/SKILL.md'])
    expect(unwrap(await skills.list()).skills.map(({ name }) => name)).toEqual(['deploy', 'tidy'])
    expect(await archived()).toEqual([])
    expect(await textAt(storage, OF_TIDY)).toBeUndefined()
  })

  it('is brought back if the backup had no room for its folder, which is still there', async () => {
    const { clock, storage, archive, archived, goBack } = await open()
    await write(storage, { 'skills/tidy/SKILL.md': skillText('tidy', 'x'.repeat(5_000)) })
    const entry = await archive('tidy')
    unwrap(await createSkillBackup({ storage, clock, reason: 'manual', maxFileBytes: 1_000 }))
    clock.advance(5 * MINUTES)
    await remove(storage, OF_TIDY)

    await goBack()

    expect(await archived()).toEqual([entry])
  })
})

describe('something in the way that is moved before the backup is restored', () => {
  it('gets no name in the archive that an entry of the backup has', async () => {
    const { storage, skills, archive, archived, backUp, goBack } = await open()
    await write(storage, { 'skills/tidy/SKILL.md': skillText('tidy', 'Then.') })
    const entry = await archive('tidy')
    await write(storage, { 'skills/tidy': 'a document' })
    await backUp()
    await remove(storage, 'skills/tidy')
    unwrap(await skills.restore('tidy'))
    unwrap(await skills.edit('tidy', skillText('tidy', 'Now.')))

    await goBack()

    expect(await archived()).toContainEqual(entry)
    const texts = await Promise.all((await archived()).map(({ id }) => textAt(storage, `skills/${id}/SKILL.md`)))
    expect(texts.sort()).toEqual([skillText('tidy', 'Now.'), skillText('tidy', 'Then.')])
  })
})
