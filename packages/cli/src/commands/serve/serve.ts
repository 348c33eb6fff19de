/** `hermes serve`: memory over HTTP for programs in other languages, on this machine alone, until it is stopped. */
import { randomBytes } from 'node:crypto'
import { err, type Hermes, HermesError, type HermesHomes, ok, type Result } from '@hermes/core'
import { failed, isFailure, messageOf, usage } from '../../answer.ts'
import { wholeNumber } from '../../arguments.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { openReviewModel } from '../../model/review-model.ts'
import { cleanText } from '../../terminal/clean-text.ts'
import { openInspected } from '../ui/inspected.ts'
import { serve } from '../ui/serve.ts'
import { apiHandler, stopping } from './handler.ts'

const PREFERRED_PORT = 4984
const MIN_TOKEN_CHARS = 16
/** Requests under way may finish. */
const STOP_LIMIT_MS = 10_000

const refuse = (message: string): Result<never> => err(new HermesError('invalid', message))

/** Whose home a request names. */
const homeOf =
  (target: Hermes | HermesHomes) =>
  ({ user, tenant }: { readonly user: string | undefined; readonly tenant: string | undefined }): Result<Hermes> => {
    if (!('for' in target))
      return user === undefined && tenant === undefined ? ok(target) : refuse('One home is served here, so a request names no user.')
    if (user === undefined) return refuse('Many homes are served here: name one in the header x-hermes-user.')
    try {
      return ok(target.for(tenant === undefined ? user : { tenant, user }))
    } catch (cause) {
      return refuse(String(cause instanceof Error ? cause.message : cause))
    }
  }

const printAddress = (origin: string, token: string | undefined, label: string, { world, isJson, terminal }: Context): void => {
  if (isJson) {
    world.stderr.write(`${JSON.stringify({ origin, ...(token === undefined ? {} : { token }) })}\n`)
    return
  }
  const { bold, dim } = terminal.paint
  const secret = token === undefined ? '' : `Token: ${token}\n`
  world.stdout.write(`Serving ${cleanText(label)} at ${bold(origin)}\n${secret}${dim('GET /openapi.json describes it. Ctrl-C stops.')}\n`)
}

export const serveCommand = defineCommand({
  describe: 'Offer memory over HTTP to programs in other languages, on this machine alone.',
  examples: [
    ['hermes serve', 'prints the address and a new token'],
    ['HERMES_TOKEN=… hermes serve --port 4984 --user ada', 'one person of a server, with a token of your own'],
    ['hermes serve --module ./homes.mjs', "your program's own homes, with their model and profile: export { homes }"],
  ],
  options: (parser) =>
    parser
      .option('port', {
        coerce: wholeNumber('port', 1, 65_535),
        requiresArg: true,
        describe: `which port of this machine; default: ${PREFERRED_PORT}, or any that is free`,
      })
      .option('model', {
        type: 'string',
        requiresArg: true,
        describe: "which model reviews; else config.yaml's curator.review_model, else what the environment has a key for",
      })
      .option('module', { type: 'string', requiresArg: true, describe: "a file that exports 'homes' or 'hermes', with their own options" }),
  forAll: true,
  withoutHome: ({ module }) => module !== undefined,
  createsHome: true,
  run: async ({ user, tenant, port, model, module }, context) => {
    const { world } = context
    const own = world.env['HERMES_TOKEN']
    if (own !== undefined && !new RegExp(`^[!-~]{${MIN_TOKEN_CHARS},}$`).test(own))
      return failed(usage(`HERMES_TOKEN must have at least ${MIN_TOKEN_CHARS} characters, all of them printable ASCII, and no spaces.`))
    const token = own ?? randomBytes(24).toString('base64url')
    if (module !== undefined && model !== undefined) return failed(usage("With --module the model is the module's own: leave out --model."))
    const found = module === undefined ? await openReviewModel(model, context, 'Reviews need a model.') : undefined
    if (model !== undefined && found && isFailure(found)) return failed(found)
    // Without one, all but remember works.
    const reviewer = found && !isFailure(found) ? found.model : undefined
    const opened = await openInspected({ user, tenant, module, write: true, actor: 'host', reviewer }, context, () => {})
    if (isFailure(opened)) return { failure: opened }
    let isStopping = false
    const ending = new AbortController()
    const handle = apiHandler({
      token,
      homeOf: homeOf(opened.target),
      signal: ending.signal,
      onFailure: (cause) => context.warn(`A request was not answered: ${cleanText(messageOf(cause))}`),
    })
    const fetch = (request: Request): Promise<Response> => (isStopping ? Promise.resolve(stopping()) : handle(request))
    const served = await serve(fetch, { port, preferred: PREFERRED_PORT })
    if (!served.ok) {
      await opened.close()
      return failed(served.error)
    }
    const { origin, close } = served.value
    const stopped = new Promise<void>((resolve) => {
      const unlisten = world.onStop(() => {
        unlisten()
        resolve()
      })
    })
    printAddress(origin, own === undefined ? token : undefined, opened.label, context)
    await stopped
    isStopping = true
    await close(STOP_LIMIT_MS)
    ending.abort()
    await opened.close()
    return { value: { origin }, text: () => 'The server has stopped.\n' }
  },
})
