/** Records anew how Hermes works in a coding agent: `node scripts/demo/agents-main.ts` writes the picture of docs/coding-agents.md. Needs a registry for Claude Code, the first time. */
import { writeFile } from 'node:fs/promises'
import { toAnimatedSvg } from './animated-svg.ts'
import { recordAgents } from './record-agents.ts'

const svg = toAnimatedSvg(await recordAgents())
await writeFile(new URL('../../docs/images/coding-agents.svg', import.meta.url), svg)
process.stdout.write(`docs/images/coding-agents.svg: ${svg.length.toLocaleString('en-US')} characters\n`)
