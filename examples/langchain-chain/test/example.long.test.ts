/** All programs of the example. */
import { expect, it } from 'vitest'
import { difference } from '../src/demo/show-difference.ts'
import { QUESTION, TEN_TURNS } from '../src/demo/turns.ts'
import { prompts, run } from './run-example.ts'

it('the chain knows nothing of an earlier conversation before', async () => {
  await run('before', TEN_TURNS)
  expect(await run('before', [QUESTION])).toContain('bot: Nothing yet. Tell me something worth keeping.')
})

it('the chain is reviewed at turn 10 through its own model, and the second run’s prompt holds what the first one taught', async () => {
  const output = await run('after', TEN_TURNS)
  expect(output).toContain('· review: 4 applied, 0 held, 0 rejected, 0 failed')
  const first = prompts()
  expect(first.map((call) => call.purpose)).toEqual([...Array(10).fill('turn'), 'review'])
  for (const call of first.slice(0, 10)) expect(call.prompt).not.toContain('USER PROFILE')

  const again = await run('after', [QUESTION])
  const [prompt] = prompts().slice(11)
  expect(prompt?.prompt).toMatch(/Current conversation:\n═+\nMEMORY[\s\S]*USER PROFILE[\s\S]*\nHuman: what do you remember\?\nAI:$/)
  for (const fact of ['Ada Lovelace', 'tabs over spaces', 'Oslo', 'Kamal']) {
    expect(prompt?.prompt).toContain(fact)
    expect(again).toContain(fact)
  }
})

it('the agent remembers what it is asked to, and knows it in the next thread', async () => {
  expect(await run('agent', ['remember that I prefer short answers'])).toContain('bot: Done. I will remember that.')
  expect(await run('agent', [QUESTION])).toContain('bot: This is what I remember:\n- User prefers short answers')
})

it('the agent is reviewed at turn 10 through its own model, after the run', async () => {
  expect(await run('agent', TEN_TURNS)).toContain('· review: 4 applied, 0 held, 0 rejected, 0 failed')
  expect(prompts().map((call) => call.purpose)).toEqual([...Array(10).fill('turn'), 'review'])
})

it('runs in one go', async () => {
  const output = await run('main', [])
  expect(output).toContain('a scripted stand-in plays the model')
  expect(output).toContain('+ chain.memory = new HermesMemory(')
  expect(output).toContain('bot: This is what I remember:\n- The team deploys with Kamal')
  expect(output).toContain('- User prefers short answers')
})

it('the chain differs by a few lines', () => {
  const lines = difference('before.ts', 'after.ts')
  expect(lines.filter((line) => line.startsWith('-'))).toEqual([])
  expect(lines.length).toBeLessThanOrEqual(7)
})
