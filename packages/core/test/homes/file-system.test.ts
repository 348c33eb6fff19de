/** Homes of many owners on disk: their files, and what is left after an erasure. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHermesHomes } from '../../src/create-hermes-homes.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { proposing, talk } from '../session/open-home.ts'

let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hermes-homes-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const open = () => createHermesHomes({ storage: fileSystemBackend(root), onEvent: () => {} })

/** All file names and contents below the root, with archives unpacked. */
const everything = async (): Promise<string> => {
  const names = await readdir(root, { recursive: true })
  const texts = await Promise.all(
    names.map(async (name) => {
      const file = join(root, name)
      if (!(await stat(file)).isFile()) return name
      const bytes = await readFile(file)
      return `${name}\n${(name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')}`
    }),
  )
  return texts.join('\n')
}

/** Fills a home with memory, skills, a backup, held proposals and unread text. */
const fill = async (homes: ReturnType<typeof open>, user: string, marker: string) => {
  const hermes = homes.for(user)
  const session = hermes.session(`chat-${marker}`)
  await session.systemBlock()
  for (let turn = 0; turn < 11; turn++) talk(session, [], `${marker} says ${turn}`, proposing(`${marker} likes tea`))
  await session.settled()
  const skill = {
    name: `${marker}-skill`,
    category: marker,
    content: `---\nname: ${marker}-skill\ndescription: Of ${marker}.\n---\n\n${marker}\n`,
  }
  expect(await hermes.skillStore().create(skill)).toMatchObject({ ok: true })
  expect(await hermes.skillStore().writeFile(skill.name, `references/${marker}.md`, marker)).toMatchObject({ ok: true })
  expect(await hermes.curator.backup()).toMatchObject({ ok: true })
  expect(await hermes.curator.archive(skill.name)).toMatchObject({ ok: true })
}

describe('erase', () => {
  it('leaves no name and no byte of the owner, unpacked backups included', async () => {
    const homes = open()
    await fill(homes, 'u-zebra', 'zebra')
    await fill(homes, 'u-koala', 'koala')
    expect(await everything()).toContain('zebra')
    const receipt = await homes.erase('u-zebra')
    expect(receipt).toMatchObject({
      ok: true,
      value: { folders: { curator: expect.any(Number), journal: expect.any(Number), skills: expect.any(Number) } },
    })
    const left = await everything()
    expect(left).not.toContain('zebra')
    expect(left).toContain('koala')
    await homes.erase('u-koala')
    await homes.close()
    expect((await readdir(root, { recursive: true })).toSorted()).toEqual(['.hermes', '.hermes/kind', '.hermes/log', 'homes', 'owners'])
  })

  it('leaves nothing of a home that is removed in several updates', async () => {
    const homes = open()
    const put = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`skills/zebra-${index}`, new TextEncoder().encode('zebra')]))
    expect(await homes.storage('zebra').update(['skills/'], () => ({ put, value: 0 }))).toMatchObject({ ok: true })
    expect(await homes.erase('zebra')).toMatchObject({ ok: true, value: { documents: 250, bytes: 1_250, folders: { skills: 250 } } })
    expect(await everything()).not.toContain('zebra')
    await homes.close()
    expect((await readdir(root, { recursive: true })).toSorted()).toEqual(['.hermes', '.hermes/kind', '.hermes/log', 'homes', 'owners'])
  })

  it('also takes temporary files that a killed process left', async () => {
    const homes = open()
    await homes.for('zebra').memoryStore().apply('user', { action: 'add', content: 'Is here' })
    const [folder = ''] = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('memories'))
    const litter = join(root, folder, '.hermes-tmp-1-1')
    await writeFile(litter, 'zebra')
    await homes.erase('zebra')
    expect((await readdir(root, { recursive: true })).filter((name) => name.includes('zebra'))).toHaveLength(0)
  })

  it('leaves no folder of a home whose process was killed in its first write', async () => {
    const homes = open()
    await homes.for('zebra').memoryStore().apply('user', { action: 'add', content: 'Is here' })
    const [folder = ''] = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('memories'))
    for (const name of await readdir(join(root, folder, '..'))) await rm(join(root, folder, '..', name), { recursive: true })
    const litter = join(root, folder, '..', '.hermes-tmp-1-1')
    await writeFile(litter, 'zebra')
    expect(await homes.erase('zebra')).toMatchObject({ ok: true, value: { documents: 0 } })
    expect(await everything()).not.toContain('zebra')
  })
})
