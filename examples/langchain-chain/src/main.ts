/** The whole example in one go: the chain before, the difference, the chain after in two runs, and an agent that knows it all too. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from './demo/run-program.ts'
import { difference } from './demo/show-difference.ts'
import { QUESTION, TEN_TURNS } from './demo/turns.ts'

const title = (text: string): void => console.log(`\n== ${text}`)

/** `HERMES_HOME` stays for a look inside; otherwise the demo leaves nothing behind. */
const given = process.env['HERMES_HOME']
const home = given ?? mkdtempSync(join(tmpdir(), 'hermes-langchain-'))
const env = { HERMES_HOME: home }

try {
  if ((process.env['OPENAI_API_KEY'] ?? '') === '') console.log('No OPENAI_API_KEY: a scripted stand-in plays the model.')
  title('before.ts: a conversation chain, asked again in a new conversation')
  await runProgram({ program: 'before', lines: [...TEN_TURNS.slice(0, 2)], env })
  await runProgram({ program: 'before', lines: [QUESTION], env })

  title('the difference between before.ts and after.ts')
  for (const line of difference('before.ts', 'after.ts')) console.log(line)

  title('after.ts: ten turns, and the review behind the tenth')
  await runProgram({ program: 'after', lines: TEN_TURNS, env })

  title('after.ts again: a new conversation begins with what the first one taught')
  await runProgram({ program: 'after', lines: [QUESTION], env })

  title('agent.ts: createAgent over the same memory, with the memory tool')
  await runProgram({ program: 'agent', lines: [QUESTION, 'remember that I prefer short answers'], env })
  await runProgram({ program: 'agent', lines: [QUESTION], env })
} finally {
  if (given === undefined) rmSync(home, { recursive: true, force: true })
}
