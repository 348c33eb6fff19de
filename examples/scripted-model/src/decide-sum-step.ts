/** A plain sum goes to the calculate tool. */
import { CALCULATE_TOOL, sumProblem, workedSums } from './calculate-calls.ts'
import { call, type Decider, say } from './scripted-step.ts'

const ASKED =
  /^(?:please )?(?:what(?:'s|’s| is)|calculate|compute|work out|how much is|and)?\s*([-(\d.][-\d\s.+*/^()×÷x]*[\d).])\s*[?=.]*$/i

const expressionIn = (text: string): string | undefined => {
  const expression = ASKED.exec(text)?.[1]
    ?.replaceAll(/\s*x\s*/gi, ' * ')
    .trim()
  return expression !== undefined && /[\d)]\s*[-+*/^×÷]/.test(expression) ? expression : undefined
}

export const decideSumStep: Decider = (scene) => {
  const expression = expressionIn(scene.text)
  if (expression === undefined) return undefined
  const problem = sumProblem(scene.calls)
  if (problem !== undefined) return say(`I could not work that out: ${problem}`)
  const done = workedSums(scene.calls).at(-1)
  return done === undefined ? call(scene, CALCULATE_TOOL, { expression }) : say(`${expression} = ${done.result}`)
}
