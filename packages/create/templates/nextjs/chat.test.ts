import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

test('the second chat knows what was said in the first', async () => {
  const home = mkdtempSync(join(tmpdir(), 'hermes-app-'))
  process.once('exit', () => rmSync(home, { recursive: true })) // until then it is saved behind the answer
  process.env['HERMES_HOME'] = home
  // Without a key, so the scripted model answers.
  process.env['OPENAI_API_KEY'] = ''
  const { POST }: { POST: (request: Request) => Promise<Response> } = await import(`${process.cwd()}/app/api/chat/route.ts`)
  const chat = async (id: string, text: string): Promise<string> => {
    const messages = [{ id: '1', role: 'user', parts: [{ type: 'text', text }] }]
    return (await POST(new Request('http://localhost/api/chat', { method: 'POST', body: JSON.stringify({ id, messages }) }))).text()
  }
  await chat('first', 'Remember that we deploy with Kamal.')
  assert.match(await chat('second', 'What do we deploy with?'), /Kamal/)
})
