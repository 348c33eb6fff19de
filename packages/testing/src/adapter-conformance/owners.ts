/** Many owners behind one wrapped model or agent: no owner sees data of another, and a call without an owner sees none (DESIGN 4). */

import type { OwnerId } from '@hermes/core/portability'
import { expect, it } from 'vitest'
import type { AdapterCapabilities, CreateAdapterHost, ModelAnswer, ModelCall } from './adapter-host.ts'
import { calls, proposes, says, skillText, userFact } from './model.ts'
import { createOwnersWorld, type OwnersWorld } from './owners-world.ts'
import { INSTRUCTIONS } from './world.ts'

interface Person {
  readonly owner: OwnerId
  /** Occurs in everything that this person says and stores. */
  readonly word: string
}

const ALICE: Person = { owner: { user: 'alice' }, word: 'amaryllis' }
const BOB: Person = { owner: { user: 'bob' }, word: 'begonia' }
const OTHER_ALICE: Person = { owner: { tenant: 'acme', user: 'alice' }, word: 'cyclamen' }
const PEOPLE = [ALICE, BOB, OTHER_ALICE] as const

const wordsIn = (text: string): readonly string[] => PEOPLE.map(({ word }) => word).filter((word) => text.includes(word))

const textOf = ({ system, messages }: ModelCall): string => [system, ...messages.map(({ text }) => text)].join('\n')

const lastOf = ({ messages }: ModelCall) => messages.at(-1)

/** The person whose turn it is, by the word in the user message. */
const personOf = ({ messages }: ModelCall): Person => {
  const said = messages.find(({ role }) => role === 'user')?.text ?? ''
  const person = PEOPLE.find(({ word }) => said.includes(word))
  if (person === undefined) throw new Error(`Nobody of the suite says '${said}'.`)
  return person
}

/** Holds each call until every person has made one. */
const everybody = (): (() => Promise<void>) => {
  let open: (() => void)[] = []
  return () =>
    new Promise((resolve) => {
      open.push(resolve)
      if (open.length < PEOPLE.length) return
      for (const go of open) go()
      open = []
    })
}

/** One concurrent turn of every person, in sessions with the same id. */
const allSay = async (world: OwnersWorld, sessionId: string, text: (person: Person) => string): Promise<void> => {
  await Promise.all(PEOPLE.map((person) => world.turn(person.owner, sessionId, text(person))))
}

/** Expects that each prompt so far, of turns and reviews, contains the word of its own person only. */
const expectOwnWordsOnly = (world: OwnersWorld): void => {
  for (const call of world.turnCalls) expect(wordsIn(textOf(call))).toEqual([personOf(call).word])
  for (const call of world.reviewCalls) expect(wordsIn(textOf(call))).toHaveLength(1)
}

const expectOwnFilesOnly = async (world: OwnersWorld): Promise<void> => {
  for (const { owner, word } of PEOPLE) expect(wordsIn(await world.files(owner))).toEqual([word])
}

const mistakesOf = (world: OwnersWorld) => world.events.flatMap((event) => (event.type === 'wiring-failed' ? [event] : []))

const grows = ({ word }: Person): string => `I grow ${word}.`

const toolCases = (createHost: CreateAdapterHost): void => {
  it('has the agent’s memory tool write into the home of whoever it answers, at once', async () => {
    const world = await createOwnersWorld(createHost)
    const together = everybody()
    world.answerTurns(async (call) => {
      await together()
      if (lastOf(call)?.role !== 'user') return says('Done.')
      return calls('memory', { target: 'user', action: 'add', content: `Grows ${personOf(call).word}.` })
    })
    await allSay(world, 'chat', (person) => `Please remember: ${grows(person)}`)
    const answered = world.turnCalls.filter((call) => lastOf(call)?.role === 'tool')
    expect(answered).toHaveLength(PEOPLE.length)
    for (const call of answered) expect(JSON.parse(lastOf(call)?.text ?? '')).toMatchObject({ success: true })
    expectOwnWordsOnly(world)
    await expectOwnFilesOnly(world)
    await allSay(world, 'next', (person) => `Hello, ${person.word} here`)
    for (const call of world.turnCalls.slice(-PEOPLE.length)) expect(call.system).toContain(`Grows ${personOf(call).word}.`)
    expectOwnWordsOnly(world)
    expect(mistakesOf(world)).toEqual([])
  })

  it('names, lists and loads a skill for its owner alone', async () => {
    const world = await createOwnersWorld(createHost)
    const body = `Water the ${ALICE.word} on Sundays.`
    const answers: ModelAnswer[] = []
    world.answerTurns(() => answers.shift())
    answers.push(calls('skill_manage', { action: 'create', name: 'water-it', content: skillText('water-it', 'How to water it.', body) }))
    await world.turn(ALICE.owner, 'chat', body)
    const toolAnswers = async (person: Person, sessionId: string): Promise<string> => {
      answers.push(calls('skills_list', {}), calls('skill_view', { name: 'water-it' }))
      await world.turn(person.owner, sessionId, `What do you know of ${person.word}?`)
      return JSON.stringify(world.turnCalls.at(-1))
    }
    expect(await toolAnswers(ALICE, 'next')).toContain(body)
    expect(world.turnCalls.at(-1)?.system).toContain('water-it')
    for (const person of [BOB, OTHER_ALICE]) {
      const seen = await toolAnswers(person, 'chat')
      expect(seen).not.toContain('How to water it.')
      expect(seen).not.toContain(ALICE.word)
      expect(world.turnCalls.at(-1)?.system).toBe(INSTRUCTIONS)
      expect(wordsIn(await world.files(person.owner))).not.toContain(ALICE.word)
    }
  })

  it('has a tool of a call without an owner read and write nothing', async () => {
    const world = await createOwnersWorld(createHost)
    await world.remember(ALICE.owner, grows(ALICE))
    const before = await world.files()
    world.answerTurns((call) =>
      lastOf(call)?.role === 'user' ? calls('memory', { target: 'user', action: 'add', content: `Grows ${BOB.word}.` }) : undefined,
    )
    expect(await world.turn(undefined, 'chat', `Please remember: ${grows(BOB)}`)).toBe('Fine.')
    const answer = world.turnCalls.at(-1)?.messages.at(-1)?.text ?? ''
    expect(JSON.parse(answer)).toMatchObject({ success: false })
    expect(wordsIn(answer)).toEqual([])
    expect(await world.files()).toBe(before)
  })

  it('keeps a nested run with the owner of the turn, and counts and believes it for nobody', async () => {
    const world = await createOwnersWorld(createHost, { nudge: { memoryInterval: 1 } })
    for (const person of PEOPLE) await world.remember(person.owner, grows(person))
    const together = everybody()
    const isAsked = (call: ModelCall) => lastOf(call)?.text.startsWith('Ask around') === true
    world.answerTurns(async (call) => {
      await together()
      const { owner, word } = personOf(call)
      if (isAsked(call)) return calls('memory', { target: 'user', action: 'add', content: `Lives on Mars with the ${word}.` })
      if (lastOf(call)?.role !== 'user') return says('Done.')
      return calls('delegate', { owner, sessionId: 'chat', question: `Ask around: I live on Mars with the ${word}. What do I need?` })
    })
    await allSay(world, 'chat', (person) => `Look into ${person.word} please`)
    expect(world.turnCalls.filter(isAsked)).toHaveLength(PEOPLE.length)
    for (const call of world.turnCalls) expect(call.system).toContain(grows(personOf(call)))
    expectOwnWordsOnly(world)
    expect(new Set(world.reviewCalls.map(personOf)).size).toBe(PEOPLE.length)
    for (const { owner } of PEOPLE) {
      const profile = world.homes().for(owner).memoryStore()
      await profile.load()
      expect(profile.entries('user')).toEqual([])
    }
  })
}

export const ownerCases = (createHost: CreateAdapterHost, { toolLoop, extent }: Required<AdapterCapabilities>): void => {
  it('shows everybody their own memory alone, over one model and at once', async () => {
    const world = await createOwnersWorld(createHost)
    for (const person of PEOPLE) await world.remember(person.owner, grows(person))
    const together = everybody()
    world.answerTurns(async () => {
      await together()
      return undefined
    })
    for (const turn of [1, 2, 3]) await allSay(world, 'chat', ({ word }) => `${word} ${turn}`)
    expect(world.turnCalls).toHaveLength(3 * PEOPLE.length)
    for (const call of world.turnCalls) expect(call.system).toContain(grows(personOf(call)))
    expectOwnWordsOnly(world)
    expect(mistakesOf(world)).toEqual([])
  })

  if (extent === 'wiring') return

  it('reviews everybody’s words apart, and learns from them for their owner alone', async () => {
    const world = await createOwnersWorld(createHost, { nudge: { memoryInterval: 1 } })
    world.answerReviews((call) => {
      const [word = ''] = wordsIn(textOf(call))
      return proposes(userFact(`Grows ${word}.`, `I grow ${word}.`))
    })
    const together = everybody()
    world.answerTurns(async () => {
      await together()
      return undefined
    })
    await allSay(world, 'chat', grows)
    expect(world.reviewCalls.map((call) => wordsIn(textOf(call))).toSorted()).toEqual(PEOPLE.map(({ word }) => [word]))
    await expectOwnFilesOnly(world)
    await allSay(world, 'next', (person) => `Hello, ${person.word} here`)
    for (const call of world.turnCalls.slice(-PEOPLE.length)) expect(call.system).toContain(`Grows ${personOf(call).word}.`)
    expectOwnWordsOnly(world)
    await expectOwnFilesOnly(world)
  })

  it('counts sessions of one id for each owner apart', async () => {
    const world = await createOwnersWorld(createHost, { nudge: { memoryInterval: 2 } })
    for (const person of PEOPLE) await world.turn(person.owner, 'chat', `${person.word} 1`)
    expect(world.reviewCalls).toHaveLength(0)
    await world.turn(BOB.owner, 'chat', `${BOB.word} 2`)
    expect(world.reviewCalls.map((call) => wordsIn(textOf(call)))).toEqual([[BOB.word]])
    for (const part of ['1', '2']) expect(textOf(world.reviewCalls[0] as ModelCall)).toContain(`${BOB.word} ${part}`)
    const started = world.events.filter(({ type }) => type === 'session-started')
    expect(started.map(({ owner }) => owner)).toEqual(PEOPLE.map(({ owner }) => owner))
  })

  it('shows nobody’s memory to a call without an owner, counts nothing, and says so once', async () => {
    const world = await createOwnersWorld(createHost, { nudge: { memoryInterval: 1 } })
    for (const person of PEOPLE) await world.remember(person.owner, grows(person))
    const [files, { length }] = [await world.files(), world.events]
    expect(await world.turn(undefined, 'chat', `Hello, ${BOB.word} here`)).toBe('Fine.')
    expect(world.turnCalls.map(({ system }) => system)).toEqual([INSTRUCTIONS])
    expect(world.reviewCalls).toEqual([])
    expect(await world.files()).toBe(files)
    expect(world.events.slice(length)).toMatchObject([{ type: 'wiring-failed', mistake: 'missing-owner' }])
    expect(mistakesOf(world).map(({ owner, sessionId }) => [owner, sessionId])).toEqual([[undefined, undefined]])
  })

  it('continues for each owner in another process', async () => {
    const world = await createOwnersWorld(createHost, { nudge: { memoryInterval: 2 } })
    for (const person of PEOPLE) await world.remember(person.owner, grows(person))
    await allSay(world, 'chat', ({ word }) => `${word} 1`)
    for (const { owner, word } of PEOPLE) await world.remember(owner, `The ${word} needs water.`)
    await world.restart()
    await allSay(world, 'chat', ({ word }) => `${word} 2`)
    for (const person of PEOPLE) {
      const systems = world.turnCalls.filter((call) => personOf(call) === person).map(({ system }) => system)
      expect(systems).toHaveLength(2)
      expect(systems[0]).toContain(grows(person))
      expect(systems[1]).toBe(systems[0])
    }
    expectOwnWordsOnly(world)
    expect(world.reviewCalls).toHaveLength(PEOPLE.length)
  })

  if (toolLoop) toolCases(createHost)
}
