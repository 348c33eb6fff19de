/** Records the demo of the chat agent anew: `node scripts/demo/main.ts` writes the picture at the top of the README. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toAnimatedSvg } from './animated-svg.ts'
import { recordDemo } from './record-demo.ts'

const home = await mkdtemp(join(tmpdir(), 'hermes-demo-'))
try {
  const svg = toAnimatedSvg(await recordDemo(home))
  await writeFile(new URL('../../docs/images/demo.svg', import.meta.url), svg)
  process.stdout.write(`docs/images/demo.svg: ${svg.length.toLocaleString('en-US')} characters\n`)
} finally {
  await rm(home, { recursive: true, force: true })
}
