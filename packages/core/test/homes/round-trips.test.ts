/** The storage calls that wait for each other at the start of a session and behind a turn: each of them is a round trip to a database. */
import { describe, expect, it } from 'vitest'
import { createHermesHomes } from '../../src/create-hermes-homes.ts'
import type { Session } from '../../src/session/session.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { roundStorage } from '../support/round-storage.ts'

const fill = async (skills: number) => {
  const documents = inMemoryBackend()
  const homes = createHermesHomes({ storage: documents, onEvent: () => undefined })
  const alice = homes.for('alice')
  await alice.memoryStore().apply('memory', { action: 'add', content: 'The build needs pnpm.' }, { origin: 'user' })
  await alice.memoryStore().apply('user', { action: 'add', content: 'Prefers tabs.' }, { origin: 'user' })
  for (let skill = 1; skill <= skills; skill++) {
    const name = `deploy-${skill}`
    await alice.skillStore().create({ name, content: `---\nname: ${name}\ndescription: Deploys.\n---\n\nDo it.\n` })
  }
  alice.session('chat').offerTools()
  await alice.session('chat').systemBlock()
  await homes.settled()
  return documents
}

const open = async (skills = 1) => {
  const { storage, take } = roundStorage(await fill(skills))
  return { homes: createHermesHomes({ storage, onEvent: () => undefined }), take }
}

type Homes = Awaited<ReturnType<typeof open>>['homes']

/** The name of the first document or folder; every call also names the registration. */
const nameOf = (call: string): string => (call.split(',')[0] ?? '').replace(/\/$/, '').replace(/.*[/ ]/, '')

const say = (session: Session) =>
  session.recordTurn({
    messages: [
      { role: 'user', text: 'Hello' },
      { role: 'assistant', text: 'Hello' },
    ],
  })

const start = (homes: Homes, id?: string): Promise<string> => {
  const session = homes.for('alice').session(id)
  // Without tools there is no catalogue of skills.
  session.offerTools()
  return session.systemBlock()
}

describe('the start of a session', () => {
  it('that is resumed takes 1 round trip', async () => {
    const { homes, take } = await open()
    expect(await start(homes, 'chat')).toContain('deploy')
    expect(take().map((calls) => calls.length)).toEqual([1])
  })

  it.each(['new', undefined])(
    'that is new takes 3 where no kept text is used: the record with what the text is made of, the skills, and the new record',
    async (id) => {
      const { homes, take } = await open()
      expect(await start(homes, id)).toContain('deploy')
      expect(take().map((calls) => calls.length)).toEqual([1, 1, 1])
    },
  )

  it('takes no more with 60 skills', async () => {
    const { homes, take } = await open(60)
    expect(await start(homes, 'new')).toContain('deploy-60')
    expect(take()).toHaveLength(3)
  })

  const change = async (homes: Homes, take: () => unknown) => {
    const memory = homes.for('alice').memoryStore()
    await memory.apply('memory', { action: 'add', content: 'Deploys on Tuesdays.' }, { origin: 'user' })
    take()
  }

  it('takes 3 where the text has to be rendered anew', async () => {
    const { homes, take } = await open()
    await change(homes, take)
    expect(await start(homes, 'new')).toContain('Tuesdays')
    const trips = take()
    const names = trips.map((calls) => calls.map(nameOf).sort())
    expect(names).toEqual([['new.json'], ['SKILL.md'], ['new.json']])
  })

  it('then takes 2 where the home is open', async () => {
    const { homes, take } = await open()
    await change(homes, take)
    await start(homes, 'new')
    await homes.settled()
    await change(homes, take)
    expect(await start(homes, 'newer')).toContain('deploy')
    expect(take()).toHaveLength(2)
  })
})

describe('the save of a turn', () => {
  it('takes 1 round trip: the record and the state of the reviews are one update', async () => {
    const { homes, take } = await open()
    const session = homes.for('alice').session('chat')
    await session.systemBlock()
    say(session)
    await session.settled()
    take()
    say(session)
    await session.settled()
    expect(take().map((calls) => calls.map(nameOf).sort())).toEqual([['.reviews.json']])
  })
})
