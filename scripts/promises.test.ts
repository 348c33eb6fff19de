/** docs/promises.md names, for each promise, a test that exists. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

interface Promised {
  readonly promise: string
  readonly file: string
  readonly test: string
}

const promisesIn = (page: string): readonly Promised[] =>
  [...page.matchAll(/^\| (.+?) \| `(.+?)` \| (.+?) \|$/gm)].map(([, promise = '', file = '', test = '']) => ({ promise, file, test }))

/** The name as it is written in the file, as the first argument of a call. */
const isIn = (text: string, test: string): boolean =>
  text.split(test).some((before, at, parts) => /\(\s*['"`]$/.test(before) && /^['"`],/.test(parts[at + 1] ?? ''))

const faultsIn = (page: string): readonly string[] =>
  promisesIn(page).flatMap(({ file, test }) => {
    if (!existsSync(join(ROOT, file))) return [`There is no ${file}.`]
    return isIn(readFileSync(join(ROOT, file), 'utf8'), test) ? [] : [`${file} has no test '${test}'.`]
  })

const page = readFileSync(join(ROOT, 'docs/promises.md'), 'utf8')

it('has a test for every promise, under the name that the page gives', () => {
  expect(promisesIn(page).length).toBe([...page.matchAll(/^\| (?!promise|---)/gm)].length)
  expect(promisesIn(page).length).toBeGreaterThan(30)
  expect(faultsIn(page)).toEqual([])
})

it('notices a file or a test that is gone', () => {
  expect(faultsIn('| one | `scripts/gone.test.ts` | holds |\n| two | `scripts/promises.test.ts` | no such name |')).toEqual([
    'There is no scripts/gone.test.ts.',
    "scripts/promises.test.ts has no test 'no such name'.",
  ])
})
