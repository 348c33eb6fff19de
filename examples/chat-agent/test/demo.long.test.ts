/** The picture at the top of the README shows what the chat really does. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { toAnimatedSvg } from '../../../scripts/demo/animated-svg.ts'
import { recordDemo } from '../../../scripts/demo/record-demo.ts'
import { PICTURE, textIn } from './demo-picture.ts'
import { temporaryFolder } from './run-chat.ts'

it('is what two sessions of the chat show today; node scripts/demo/main.ts records it anew', async () => {
  const person = temporaryFolder()
  const svg = toAnimatedSvg(await recordDemo(person))
  expect(textIn(svg)).toEqual(textIn(PICTURE))
  expect(svg).toBe(PICTURE)

  // What it claims is on the disk: facts, one of them corrected, a skill, and nothing of the order in the page.
  const home = join(person, '.hermes')
  const file = (path: string): string => readFileSync(join(home, path), 'utf8')
  expect(file('memories/USER.md')).toContain("User's name is Ada")
  expect(file('memories/USER.md')).toContain('User lives in Porto')
  expect(file('memories/USER.md')).not.toContain('Lisbon')
  expect(file('skills/split-bills/SKILL.md')).toContain('- Always round up to the next 10 cents and show the total')
  expect(existsSync(join(home, 'memories/MEMORY.md')) ? file('memories/MEMORY.md') : '').not.toContain('invoice')
  expect(readdirSync(join(home, 'pending'), { recursive: true }).filter((name) => String(name).endsWith('.json'))).toEqual([])
})
