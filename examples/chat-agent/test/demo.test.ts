/** The picture at the top of the README, and the lines beside it. `demo.long.test.ts` records it anew. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { toAnimatedSvg } from '../../../scripts/demo/animated-svg.ts'
import { recordDemo } from '../../../scripts/demo/record-demo.ts'
import { IS_LONG_RUN } from '../../../scripts/support/rounds.ts'
import { PICTURE, textIn } from './demo-picture.ts'
import { runChat, temporaryFolder } from './run-chat.ts'

const ROOT_README = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')

const inputsOf = (session: string): readonly string[] =>
  readFileSync(new URL(`../demo/${session}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n')

it('is small, needs no script and nothing from elsewhere, and stands still for people who want that', () => {
  expect(PICTURE.length).toBeLessThan(60_000)
  expect(PICTURE).not.toMatch(/<script|<image|<foreignObject|@import|url\(|href/)
  expect(PICTURE).toContain('@media(prefers-reduced-motion:reduce)')
  expect(PICTURE).toContain('@media(prefers-color-scheme:dark)')
  const [, duration = ''] = /animation-duration:(\d+)ms/.exec(PICTURE) ?? []
  expect(Number(duration)).toBeLessThan(66_000)
})

it('shows the lines that the README tells a person to type', () => {
  expect(ROOT_README).toContain('](docs/images/demo.svg)')
  const shown = textIn(PICTURE)
  for (const line of [...inputsOf('first-session'), ...inputsOf('next-session')]) expect(shown).toContain(line)
  const [, tried = ''] = /## Try it\n([\s\S]*?)\n## /.exec(ROOT_README) ?? []
  const blocks = [...tried.matchAll(/^```(\w*)\n([\s\S]*?)\n```$/gm)]
  const typed = blocks.flatMap(([, language, block = '']) => (language === '' ? [block.split('\n')] : []))
  // Without the greeting and the goodbye of the second one.
  expect(typed).toEqual([inputsOf('first-session'), inputsOf('next-session').slice(1, -2)])
})

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

const TRANSCRIPTS = [...README.matchAll(/```console\n([\s\S]*?)\n```/g)].map(([, transcript = '']) => ({
  turns: transcript.split('\n\n'),
  options: transcript.includes('· recalled') ? ['--recall'] : [],
}))

it.each(TRANSCRIPTS)('does what the README shows, line by line, from "$turns.0" on', async ({ turns, options }) => {
  const lines = turns.map((turn) => turn.split('\n')[0]?.replace('> ', '') ?? '')
  expect(lines).toContain('/new')
  const run = await runChat({ args: ['--home', temporaryFolder(), ...options], lines: [...lines, '/quit'] })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  for (const turn of turns) expect(run.stdout).toContain(`${turn}\n`)
})

it('shows a skill, a page and a past session', () => {
  expect(TRANSCRIPTS).toHaveLength(3)
})

if (IS_LONG_RUN) {
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
}
