/** One conversation of 50 turns with a peer: which turn saves a fact, and how the messages that the app keeps are stored. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { ChatModule, Host } from '../port.ts'
import { REQUEST } from '../port.ts'
import { answerTo, toResponse } from './model-answers.ts'
import { fact, facts, INSTRUCTIONS, question } from './texts.ts'

export const FACTS_AT_START = 22
export const TURNS = 50
/** Turns in which the user asks that a fact be saved. */
export const WRITES_AT: readonly number[] = [5, 12, 20, 31, 44]

const SESSION = 'conversation'

interface Part {
  readonly folder: string
  readonly url: string
  /** The first and the last turn, counted from 1. */
  readonly from: number
  readonly to: number
}

const historyIn = (file: string): Host['history'] => ({
  load: () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []),
  save: (messages) => writeFileSync(file, JSON.stringify(messages)),
})

/** The facts that are known before this turn. */
const knownAt = (turn: number): readonly string[] => facts(0, FACTS_AT_START + WRITES_AT.filter((at) => at < turn).length)

/** Tells the model what to do in this turn. */
const plan = async (module: ChatModule, url: string, turn: number): Promise<string> => {
  const known = knownAt(turn)
  const saved = WRITES_AT.includes(turn) ? fact(known.length) : undefined
  const planned = [
    ...(turn === 1 && module.begins ? [module.begins()] : []),
    ...(saved && module.saves ? [module.saves(saved, known)] : []),
  ]
  const body = JSON.stringify({ planned, found: saved ? [saved] : [] })
  const answered = await fetch(`${url}/plan`, { method: 'POST', body })
  if (!answered.ok) throw new Error(await answered.text())
  return saved ? `${REQUEST}${saved}` : question(turn)
}

export const converse = async (module: ChatModule, { folder, url, from, to }: Part): Promise<void> => {
  const history = historyIn(`${folder}.messages.json`)
  const chat = await module.openChat(folder, SESSION, { url, instructions: INSTRUCTIONS, history })
  for (let turn = from; turn <= to; turn++) {
    await chat.turn(await plan(module, url, turn))
    await chat.settled?.()
  }
  await chat.close()
}

const instantly: typeof fetch = async (input, init) => {
  const body = JSON.parse(String(init?.body))
  const { pathname, search } = new URL(input instanceof Request ? input.url : input)
  return toResponse(`${pathname}${search}`, body, answerTo(pathname, body, { calls: [], found: [], count: 1 }))
}

/** Milliseconds of each turn of a new conversation without writes, with a model that answers at once. */
export const timeTurns = async (
  module: ChatModule,
  { folder, url, count }: { readonly folder: string; readonly url: string; readonly count: number },
): Promise<readonly number[]> => {
  let messages: readonly unknown[] = []
  const history: Host['history'] = {
    load: () => messages,
    save: (all) => {
      messages = all
    },
  }
  const session = `conversation-${Math.trunc(performance.now() * 1_000)}`
  const chat = await module.openChat(folder, session, { url, fetch: instantly, instructions: INSTRUCTIONS, history })
  const times: number[] = []
  for (let turn = 1; turn <= count; turn++) {
    const start = performance.now()
    await chat.turn(question(turn))
    times.push(performance.now() - start)
    await chat.settled?.()
  }
  await chat.close()
  return times
}
