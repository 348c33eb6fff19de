/** One wrapped model, one person, two projects, over files and in several processes: what is noted on a project is in its prompts alone, what is the person's in all. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHermes, type HermesEvent } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import type { ModelAnswer, ModelCall } from '@hermes/testing'
import type { ToolSet } from 'ai'
import { describe, expect, it } from 'vitest'
import { hermesTools, withHermes } from '../src/index.ts'
import { MAJORS } from './support/majors.ts'
import { scriptedModel } from './support/scripted-model.ts'
import type { WireModel } from './support/wire-providers.ts'

async function* pieces(text: string): AsyncIterable<string> {
  yield text
}

const says = (text: string): ModelAnswer => ({ type: 'text', chunks: pieces(text) })

/** What the person asks to be remembered, and where the agent puts it. */
const FACTS = [
  ['webshop', 'project', 'Orders live in Postgres'],
  ['blog', 'project', 'Posts are written in Hugo'],
  ['webshop', 'user', 'I prefer short answers'],
] as const

/** Remembers what it is asked to, and in a review proposes what the person said of the project. */
const answer = async ({ purpose, messages }: ModelCall): Promise<ModelAnswer> => {
  const shown = messages.map(({ text }) => text).join('\n')
  if (purpose === 'review') {
    const said = [...new Set(shown.match(/The code name of \w+ is \w+/g) ?? [])]
    const proposals = said.map((content) => ({
      target: 'project',
      op: { action: 'add', content },
      rationale: 'The user said so.',
      score: 0.9,
      evidence: [{ quote: content }],
    }))
    return says(JSON.stringify({ proposals }))
  }
  const fact = FACTS.find(([, , content]) => messages.at(-1)?.role === 'user' && messages.at(-1)?.text.includes(content))
  if (!fact) return says('Fine.')
  const [, target, content] = fact
  return { type: 'tool-call', toolName: 'memory', input: { target, action: 'add', content } }
}

describe.each(MAJORS)('$name', ({ ai, specification }) => {
  /** A process of the host. */
  const start = (folder: string) => {
    const events: HermesEvent[] = []
    const calls: ModelCall[] = []
    const hermes = createHermes({
      storage: fileSystemBackend(folder),
      nudge: { memoryInterval: 5, skillInterval: 0 },
      onEvent: (event) => events.push(event),
    })
    const seen = (call: ModelCall) => {
      calls.push(call)
      return answer(call)
    }
    const model = withHermes(scriptedModel({ specification, answer: seen }) as unknown as WireModel, hermes)
    const ask = async (project: string | undefined, sessionId: string, prompt: string): Promise<string> => {
      const named = project === undefined ? { sessionId } : { sessionId, project }
      await ai.generateText({
        model,
        tools: hermesTools(hermes, { projects: true }) as unknown as ToolSet,
        stopWhen: ai.stepCountIs(3),
        prompt,
        providerOptions: { hermes: named },
      })
      await hermes.settled()
      return calls.findLast(({ purpose }) => purpose === 'turn')?.system ?? ''
    }
    return { hermes, events, ask, reviews: () => calls.filter(({ purpose }) => purpose === 'review') }
  }

  it('shows what is noted on a project in its own prompts alone, and what is the person’s in all', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hermes-projects-'))
    const [inShop, inBlog] = [start(folder), start(folder)]
    for (const [project, , content] of FACTS)
      await (project === 'blog' ? inBlog : inShop).ask(project, `first in ${project}`, `${content}. Please remember that.`)
    const next = start(folder)
    const [shop, blog, plain] = [
      await next.ask('webshop', 'second in webshop', 'Hello'),
      await next.ask('blog', 'second in blog', 'Hello'),
      await next.ask(undefined, 'of none', 'Hello'),
    ]
    expect([shop, blog, plain].map((system) => system.match(/Postgres|Hugo|short answers/g)?.sort())).toEqual([
      ['Postgres', 'short answers'],
      ['Hugo', 'short answers'],
      ['short answers'],
    ])
    expect([...inShop.events, ...inBlog.events, ...next.events].filter(({ type }) => /failed/.test(type))).toEqual([])
  })

  it('reviews the turns of all projects in the process of whichever is due, each for its own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hermes-projects-'))
    const [inShop, inBlog] = [start(folder), start(folder)]
    await inShop.ask('webshop', 'shop', 'The code name of webshop is Heron')
    await inShop.ask('webshop', 'shop', 'Thanks')
    await inBlog.ask('blog', 'blog', 'The code name of blog is Osprey')
    await inBlog.ask('blog', 'blog', 'Thanks')
    expect([inShop.reviews(), inBlog.reviews()]).toEqual([[], []])
    await inBlog.ask('blog', 'blog', 'Good night')
    const requests = inBlog.reviews().map(({ system, messages }) => `${system}\n${messages.map(({ text }) => text).join('\n')}`)
    expect(requests.map((request) => [/Heron/.test(request), /Osprey/.test(request)])).toEqual([
      [true, false],
      [false, true],
    ])
    const notes = async (project: string) => {
      const listed = await inShop.hermes.memory.list('project', { project })
      return listed.ok ? listed.value.map(({ content }) => content) : listed.error
    }
    expect(await notes('webshop')).toEqual(['The code name of webshop is Heron'])
    expect(await notes('blog')).toEqual(['The code name of blog is Osprey'])
  })
})
