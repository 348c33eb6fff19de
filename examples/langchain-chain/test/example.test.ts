/** The example as a person runs it. `example.long.test.ts` runs the rest of it. */
import { describe, expect, it } from 'vitest'
import { difference } from '../src/demo/show-difference.ts'
import { QUESTION, TEN_TURNS } from '../src/demo/turns.ts'
import { prompts, run } from './run-example.ts'

describe('the chain', () => {
  it('is reviewed at turn 10 through its own model, and the second run’s prompt holds what the first one taught', async () => {
    const output = await run('after', TEN_TURNS)
    expect(output).toContain('· review: 4 applied, 0 rejected, 0 failed')
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

  it('differs by a few lines', () => {
    const lines = difference('before.ts', 'after.ts')
    expect(lines.filter((line) => line.startsWith('-'))).toEqual([])
    expect(lines.length).toBeLessThanOrEqual(7)
  })
})
