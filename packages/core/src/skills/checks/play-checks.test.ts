import { expect, it } from 'vitest'
import { ok } from '../../shared/result.ts'
import { countPassed, playChecks } from './play-checks.ts'

const check = { path: 'checks/a.json', task: 'Deploy.', holds: ['make release\nnow'], never: ['--force'] }

it.each([
  ['JSON', JSON.stringify({ answer: 'Run make release now.' })],
  ['JSON in a fence', `Here:\n\`\`\`json\n${JSON.stringify({ answer: 'make release\nnow' })}\n\`\`\``],
  ['a model that thinks aloud', `<think>Not --force.</think>${JSON.stringify({ answer: 'make release now' })}`],
  ['plain text', 'Run make release now.'],
])('judges the answer itself: %s', async (_, answer) => {
  const played = await playChecks([check], undefined, { ask: async () => ok(answer) })
  expect(played.ok && countPassed(played.value)).toBe(1)
})
