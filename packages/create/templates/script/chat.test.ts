import { strict as assert } from 'node:assert'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

test('the second run knows what was said in the first', async () => {
  const home = await mkdtemp(join(tmpdir(), 'hermes-app-'))
  // Without a key, so the scripted model answers.
  const env = { ...process.env, HERMES_HOME: home, OPENAI_API_KEY: '', ANTHROPIC_API_KEY: '' }
  const chat = async (prompt: string): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'chat.ts', prompt], { env })
    return stdout
  }
  await chat('Remember that we deploy with Kamal.')
  assert.match(await chat('What do we deploy with?'), /Kamal/)
  await rm(home, { recursive: true })
})
