/** What was said in a project is found there alone; what was said without one, everywhere. A provider without `projects` is used in none. */

import type { HomeProvider } from '@hermes/core/provider'
import { describe, expect, it } from 'vitest'
import { ANN, type CreateProviderHarness, ofProject, type ProviderCapabilities, SISTER, withProvider } from './provider-test.ts'

/** Undefined: none. Names that are the same, or hold each other, if they are compared or written carelessly. */
const PROJECTS = ['web', 'Web', 'web/shop', '%', "w'eb; --", '__proto__', undefined]

const said = PROJECTS.map((project, index) => ({ project, user: `My sister Petra lives in Town${index}x.`, word: `Town${index}x` }))

/** Words of other projects than this one. */
const strayIn = (text: string, own: string | undefined): readonly string[] =>
  said.filter(({ project, word }) => project !== undefined && project !== own && text.includes(word)).map(({ word }) => word)

/** What an agent may ask a tool, as far as it can be known. */
const INPUTS: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { query: SISTER.question },
  { query: 'Petra', limit: 20 },
  { session: 'said' },
  { query: 'Petra', session: 'said' },
  ...said.map(({ word }) => ({ query: word })),
]

export const projectCases = (create: CreateProviderHarness, capabilities: ProviderCapabilities): void => {
  const { recalls = true } = capabilities

  /** What hooks and tools answer in a session of the project. */
  const answersIn = async (hooks: HomeProvider, tools: readonly string[], project: string | undefined, signal: AbortSignal) => {
    const place = { sessionId: 'asking', ...ofProject(project) }
    const kept = await hooks.onPreCompress?.({ ...place, messages: [{ role: 'user', text: SISTER.question }] }, { signal })
    const answers = [kept ?? '']
    for (const name of tools)
      for (const input of INPUTS)
        answers.push(JSON.stringify(await hooks.callTool?.({ name, input, ...place }, { signal }).catch(() => ({}))))
    return answers.join('\n')
  }

  describe('projects', () => {
    it('shows nothing of a project in another, or in none, in sessions of the same name', ({ skip }) =>
      withProvider(create, capabilities, async ({ harness, open, limits }) => {
        if (harness.provider.projects !== true) skip('it does not keep projects apart, so it is used in none')
        const home = await open(ANN)
        for (const { project, user } of said) await home.say(user, 'said', project)
        const tools = (harness.provider.tools ?? []).map(({ name }) => name)
        for (const { project, word } of said) {
          if (recalls) await home.finds({ question: `${SISTER.question} In ${word}?`, word }, project)
          expect(strayIn((await home.ask(SISTER.question, project)).join('\n'), project)).toEqual([])
          const answers = await answersIn(home.hooks, tools, project, AbortSignal.timeout(limits.timeoutMs))
          expect(strayIn(answers, project)).toEqual([])
        }
      }))

    it('finds in every project what was said without one', ({ skip }) =>
      withProvider(create, capabilities, async ({ harness, open }) => {
        if (harness.provider.projects !== true || !recalls) skip('it does not keep projects apart, so it is used in none')
        const home = await open(ANN)
        await home.say(SISTER.user)
        for (const project of PROJECTS) await home.finds(SISTER, project)
      }))
  })
}
