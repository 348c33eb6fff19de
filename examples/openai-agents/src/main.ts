/** Two people, one agent of the OpenAI Agents SDK, and an expert it hands over to: each person is known again in their next conversation. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHermesHomes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { scriptedModel } from '@hermes/example-scripted-model/openai-agents'
import { hermesTools, runWithHermes, withHermes } from '@hermes/openai-agents'
import { Agent, MemorySession, OpenAIProvider, run, setTracingDisabled } from '@openai/agents'

const { OPENAI_API_KEY: key = '', OPENAI_MODEL: name = 'gpt-5-mini', HERMES_HOME: given } = process.env
const home = given ?? mkdtempSync(join(tmpdir(), 'hermes-openai-agents-'))
if (key === '') {
  setTracingDisabled(true)
  console.log('No OPENAI_API_KEY: a scripted stand-in plays the model.')
}

const homes = createHermesHomes({
  storage: fileSystemBackend(home),
  // A review after every third turn, so that this short example has one; the default is every tenth.
  nudge: { memoryInterval: 3 },
  onEvent: (event) => {
    if (event.type === 'review-finished') console.log(`· review: ${event.outcome.applied.length} learned`)
    if ('error' in event) console.log(`· ${event.type}: ${event.error.message}`)
  },
})

// One model, one list of tools and one agent for everybody.
const model = withHermes(key === '' ? scriptedModel() : await new OpenAIProvider().getModel(name), homes)
const expert = new Agent({ name: 'Expert', instructions: 'You answer questions about deployments.', model, tools: hermesTools(homes) })
const agent = new Agent({
  name: 'Desk',
  instructions: 'You are a helpful assistant.',
  model,
  tools: hermesTools(homes),
  handoffs: [expert],
})

const chat = async (user: string, sessionId: string, lines: readonly string[]): Promise<void> => {
  console.log(`\n== ${user}, ${sessionId}`)
  const session = new MemorySession()
  for (const line of lines) {
    const { finalOutput } = await runWithHermes({ user, sessionId }, () => run(agent, line, { session }))
    console.log(`${user}: ${line}\nbot: ${finalOutput}`)
  }
  // The conversation is over. A server would not wait here.
  await homes.for(user).session(sessionId).end()
  await homes.settled()
}

try {
  await chat('ada', 'monday', ['my name is Ada', 'I live in Oslo', 'remember that I play the cello'])
  await chat('bob', 'monday', ['my name is Bob', 'I prefer tabs', 'what do you remember?'])
  await chat('ada', 'tuesday', ['what do you remember?'])
  await chat('bob', 'tuesday', ['what do you remember?'])
} finally {
  await homes.close()
  if (given === undefined) rmSync(home, { recursive: true, force: true })
}
