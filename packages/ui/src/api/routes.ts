/** The routes of the API: each validates its input, calls core's public surface and answers with JSON. */
import type { Hermes, Result } from '@hermes/core'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import * as z from 'zod/mini'
import { answer, failure } from './answers.ts'
import { approve, edit, reject } from './decisions.ts'
import { forgetText } from './forget.ts'
import { type ApiOptions, homeKey } from './home.ts'
import { readInbox } from './inbox.ts'
import {
  entryChangeSchema,
  forgetSchema,
  inboxQuery,
  journalQuery,
  ledgerQuery,
  memoryQuery,
  ownersQuery,
  parse,
  skillChangeSchema,
  skillQuery,
  skillsQuery,
  timelineQuery,
  whyQuery,
} from './inputs.ts'
import { createJobs, curatorWork, rollbackWork } from './jobs.ts'
import { readJournal, readLedger } from './ledger.ts'
import { liveStream } from './live-stream.ts'
import { changeEntry, readMemory, readWhy } from './memory.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { readOverview } from './overview.ts'
import { readPrompt } from './prompt.ts'
import { changeSkill, readSkill, readSkills, readUpkeep } from './skills.ts'
import { readTimeline } from './timeline.ts'
import { type Change, undoable, undoChange } from './undo.ts'
import type { AboutView, DoneView } from './views.ts'

const MAX_BODY = 1_048_576

interface Variables {
  home: Hermes
  key: string
}

/** Throws a TypeError, which is answered with 400. */
const readBody = async (context: Context): Promise<unknown> => {
  try {
    return await context.req.json()
  } catch {
    throw new TypeError('The body of the request is not JSON.')
  }
}

export const apiRoutes = ({ homeOf, homes, write, label, hub }: ApiOptions): Hono<{ Variables: Variables }> => {
  const api = new Hono<{ Variables: Variables }>()
  const inTurn = oneAtATime()
  const jobs = createJobs()
  hub.closed.addEventListener('abort', () => jobs.stop())

  // Other open pages see it at once.
  api.use(async (context, next) => {
    await next()
    if (context.req.method === 'POST') hub.changed()
  })
  api.use(bodyLimit({ maxSize: MAX_BODY, onError: (context) => failure(context, 413, 'invalid', 'The text is too long: at most 1 MiB.') }))
  api.get('/about', (context) => context.json({ write, manyOwners: homes !== undefined, label } satisfies AboutView))
  api.get('/owners', async (context) => {
    const { query, limit } = parse(ownersQuery, context.req.query())
    if (!homes) return context.json({ owners: [], total: 0 })
    const listed = await homes.list()
    if (!listed.ok) return answer(context, listed)
    const wanted = query.toLowerCase()
    const found = listed.value.filter(({ tenant = '', user }) => `${tenant}\n${user}`.toLowerCase().includes(wanted))
    return context.json({ owners: found.slice(0, limit), total: found.length })
  })

  api.use(async (context, next) => {
    const { user, tenant } = context.req.query()
    context.set('home', homeOf(user, tenant))
    context.set('key', homeKey(user, tenant))
    await next()
  })
  api.get('/overview', async (context) => answer(context, await readOverview(context.var.home)))
  api.get('/inbox', async (context) => answer(context, await readInbox(context.var.home, parse(inboxQuery, context.req.query()))))
  api.get('/prompt', async (context) => answer(context, await readPrompt(context.var.home, context.req.query('session'))))
  api.get('/memory', async (context) => {
    const { query, project } = parse(memoryQuery, context.req.query())
    return answer(context, await readMemory(context.var.home, query, project))
  })
  api.get('/why', async (context) => {
    const { text, project } = parse(whyQuery, context.req.query())
    return answer(context, await readWhy(context.var.home, text, project))
  })
  api.get('/skills', async (context) => answer(context, await readSkills(context.var.home, parse(skillsQuery, context.req.query()))))
  api.get('/skill', async (context) => answer(context, await readSkill(context.var.home, parse(skillQuery, context.req.query()))))
  api.get('/upkeep', async (context) => answer(context, await readUpkeep(context.var.home)))
  api.get('/ledger', async (context) => answer(context, await readLedger(context.var.home, parse(ledgerQuery, context.req.query()))))
  api.get('/timeline', async (context) => answer(context, await readTimeline(context.var.home, parse(timelineQuery, context.req.query()))))
  api.get('/journal', async (context) => answer(context, await readJournal(context.var.home, parse(journalQuery, context.req.query()))))
  api.get('/job', (context) => context.json({ job: jobs.current(context.var.key) ?? null }))
  // A request for the headers alone would leave a stream that nobody reads, and so nobody ends.
  api.get('/live', (context) =>
    context.req.method === 'HEAD' ? context.body(null) : liveStream(context, context.var.home, hub, () => jobs.current(context.var.key)),
  )

  /** Waits for its turn, and carries the change out. */
  const change = ({ home, key }: Variables, work: (home: Hermes) => Promise<Result<Change>>): Promise<Result<DoneView>> =>
    inTurn(key, () => undoable(home, work))
  api.post('/inbox/:id/approve', async (context) =>
    answer(context, await change(context.var, (home) => approve(home, context.req.param('id')))),
  )
  api.post('/inbox/:id/reject', async (context) =>
    answer(context, await change(context.var, (home) => reject(home, context.req.param('id')))),
  )
  api.post('/inbox/:id/edit', async (context) => {
    const { content } = parse(z.object({ content: z.string() }), await readBody(context))
    return answer(context, await change(context.var, (home) => edit(home, context.req.param('id'), content)))
  })
  api.post('/memory', async (context) => {
    const entry = parse(entryChangeSchema, await readBody(context))
    return answer(context, await change(context.var, (home) => changeEntry(home, entry)))
  })
  api.post('/skills', async (context) => {
    const { action, name } = parse(skillChangeSchema, await readBody(context))
    return answer(context, await change(context.var, (home) => changeSkill(home, action, name)))
  })
  api.post('/forget/plan', async (context) => {
    const { text } = parse(forgetSchema, await readBody(context))
    return answer(context, await forgetText(context.var.home, text, true))
  })
  api.post('/forget', async (context) => {
    const { home, key } = context.var
    const { text } = parse(forgetSchema, await readBody(context))
    return answer(context, await inTurn(key, () => forgetText(home, text, false)))
  })
  api.post('/undo/:id', async (context) => {
    const { home, key } = context.var
    return answer(context, await inTurn(key, () => undoChange(home, context.req.param('id'))))
  })
  api.post('/jobs/rollback', async (context) => {
    const { id } = parse(z.object({ id: z.string() }), await readBody(context))
    return answer(context, jobs.start(context.var.key, `Restoring all skills from ${id}`, false, rollbackWork(context.var.home, id)))
  })
  api.post('/jobs/curate', (context) =>
    answer(context, jobs.start(context.var.key, 'Running the curator', true, curatorWork(context.var.home))),
  )
  api.post('/jobs/:id/cancel', (context) => answer(context, jobs.cancel(context.var.key, context.req.param('id'))))
  api.all('*', (context) => failure(context, 404, 'not_found', 'There is no such address.'))
  return api
}
