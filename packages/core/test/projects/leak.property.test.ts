/** Whatever is said, proposed, held and written in several projects of one home: no prompt, no request of a review and no reply of a tool shows one project's words to another. */
import { manualClock } from '@hermes/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { createHermes } from '../../src/create-hermes.ts'
import type { HostModel } from '../../src/model/host-model.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { must } from '../support/must.ts'

const PROJECTS = ['a', 'b', 'c'] as const

/** Undefined: a session without a project. */
const project = fc.constantFrom(...PROJECTS, undefined)
const session = fc.nat(1)

const aStep = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('says'), project, session, outside: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('writes'), project: fc.constantFrom(...PROJECTS) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('tool'), project, session, action: fc.constantFrom('add', 'remove', 'replace') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reviews') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restarts') }) },
) as fc.Arbitrary<{ kind: string; project?: string; session?: number; outside?: boolean; action?: string }>

/** The projects whose words a text holds. */
const projectsOf = (text: string): ReadonlySet<string> => new Set([...text.matchAll(/zebra([abc])\d+/gi)].map(([, name]) => String(name)))

it('never leaks', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(aStep, { minLength: 8, maxLength: 30 }),
      fc.array(fc.constantFrom('project', 'memory', 'user'), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('strict', 'balanced', 'open'),
      async (steps, targets, trust) => {
        const storage = inMemoryBackend()
        const clock = manualClock()
        const requests: string[] = []
        let words = 0
        /** Proposes what it was shown, each for another store. */
        const model: HostModel = async ({ system, messages }) => {
          const shown = `${system}\n${messages.map(({ content }) => content).join('\n')}`
          requests.push(shown)
          const said = [...new Set(shown.match(/zebra[abcx]\d+ is kept in box \d+/gi) ?? [])]
          const proposals = said.map((content, index) => {
            const target = targets[index % targets.length]
            // What is about a project belongs into its store.
            const place = /zebra[abc]/i.test(content) ? 'project' : target
            return { target: place, op: { action: 'add', content }, rationale: 'said', score: 0.9, evidence: [{ quote: content }] }
          })
          return JSON.stringify({ proposals })
        }
        const open = () =>
          createHermes({
            storage,
            clock,
            trust,
            memory: { projectCharLimit: 120 },
            nudge: { memoryInterval: 4, skillInterval: 0, minTurns: 1 },
          })
        let hermes = open()
        const openSession = (name: string | undefined, number = 0) =>
          hermes.session(`${name}-${number}`, name === undefined ? {} : { project: name })
        const fact = (name: string | undefined): string => `Zebra${name ?? 'x'}${words} is kept in box ${words++}`
        for (const step of steps) {
          clock.advance(1_000)
          const own = new Set(step.project === undefined ? [] : [step.project])
          if (step.kind === 'says') {
            const opened = openSession(step.project, step.session)
            for (const shown of projectsOf(await opened.systemBlock())) expect(own).toContain(shown)
            const page = step.outside ? [{ role: 'tool' as const, text: fact(step.project), toolNames: ['fetch'] }] : []
            opened.recordTurn({
              messages: [{ role: 'user', text: fact(step.project) }, ...page, { role: 'assistant', text: 'Noted.' }],
              model,
            })
          } else if (step.kind === 'writes') {
            await hermes.memory.add('project', fact(step.project), { project: String(step.project) })
          } else if (step.kind === 'tool') {
            const [tool] = openSession(step.project, step.session).offerTools({ only: ['memory'] })
            const target = step.project === undefined ? 'memory' : 'project'
            const text = { content: fact(step.project), old_text: 'is kept in box' }
            const reply = JSON.stringify(await tool?.execute({ target, action: step.action, ...text }))
            for (const shown of projectsOf(reply)) expect(own).toContain(shown)
          } else if (step.kind === 'reviews') await hermes.review({ model, minTurns: 1 })
          else hermes = open()
          await hermes.settled()
        }
        await hermes.review({ model, minTurns: 1 })
        for (const request of requests) expect(projectsOf(request).size, request).toBeLessThanOrEqual(1)
        for (const name of PROJECTS) {
          const listed = must(await hermes.memory.list('project', { project: name }))
          for (const { content } of listed) expect([...projectsOf(content)].filter((shown) => shown !== name)).toEqual([])
          expect([...projectsOf(await hermes.sessions.nextBlock('', name))].filter((shown) => shown !== name)).toEqual([])
        }
        for (const target of ['memory', 'user'] as const)
          for (const { content } of must(await hermes.memory.list(target))) expect([...projectsOf(content)]).toEqual([])
        expect([...projectsOf(await hermes.sessions.nextBlock())]).toEqual([])
      },
    ),
    { seed: 31, numRuns: rounds(30) },
  )
})
