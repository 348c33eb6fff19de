/** Some engines end the process if a parser recurses too deeply, which a program cannot catch, so each case runs in a separate process. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test } from 'vitest'
import { firstOf } from './support/rounds.ts'
import { usersNode } from './support/users-node.ts'

const run = promisify(execFile)
const SCRIPT = fileURLToPath(new URL('hostile-home.mjs', import.meta.url))

test.concurrent.for(firstOf(['flow-sequence', 'flow-map', 'block-sequence', 'explicit-key', 'block-map']))(
  "front matter that nests a %s without end leaves the user's Node alive, and the skill beside it in the prompt",
  async (kind, { expect }) => {
    const { stdout } = await run(usersNode(), [SCRIPT, kind])
    expect(JSON.parse(stdout)).toMatchObject({ sound: true })
  },
)
