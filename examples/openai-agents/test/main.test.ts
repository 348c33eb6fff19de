/** The example as a person runs it, without a key. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('each person is known again on Tuesday, and nothing of the other', async () => {
  const env = { ...process.env, OPENAI_API_KEY: '' }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../src/main.ts')], { env })
  expect(stderr).toBe('')
  const [, , , ada = '', bob = ''] = stdout.split('\n== ')
  expect(stdout).toContain('bot: Done. I will remember that.')
  expect(stdout).toContain('· review: 2 learned')
  expect(ada).toMatch(/^ada, tuesday/)
  for (const fact of ['Ada', 'Oslo', 'cello']) expect(ada).toContain(fact)
  expect(ada).not.toMatch(/Bob|tabs/)
  expect(bob).toMatch(/^bob, tuesday/)
  for (const fact of ['Bob', 'tabs']) expect(bob).toContain(fact)
  expect(bob).not.toMatch(/Ada|Oslo|cello/)
})
