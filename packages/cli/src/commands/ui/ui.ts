/** `hermes ui`: the inspector in the browser, until it is stopped. */

import { hermesInspector, type Inspector } from '@hermes/ui'
import { failed, isFailure } from '../../answer.ts'
import { wholeNumber } from '../../arguments.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { cleanText } from '../../terminal/clean-text.ts'
import { openInspected } from './inspected.ts'
import { openBrowser } from './open-browser.ts'
import { serve } from './serve.ts'

const PREFERRED_PORT = 4983

/** The link is what other programs and people need: on stdout, or with `--json`, whose answer comes at the end, on stderr. */
const printLink = (link: string, label: string, write: boolean, { world, isJson, terminal }: Context): void => {
  if (isJson) {
    world.stderr.write(`${JSON.stringify({ link })}\n`)
    return
  }
  const { bold, dim } = terminal.paint
  const rights = write ? 'You can decide and change.' : 'Read only; --write lets you decide and change.'
  world.stdout.write(
    `The inspector of ${cleanText(label)}:\n\n  ${bold(link)}\n\n${dim(`The link opens one browser, once. ${rights} Ctrl-C stops.`)}\n`,
  )
}

export const uiCommand = defineCommand({
  describe: 'Show in the browser what was learned, what waits for you, and why.',
  examples: [
    ['hermes ui', 'look only'],
    ['hermes ui --write --open', 'open the browser, and decide what waits from the keyboard'],
    ['hermes ui --module ./homes.mjs', "your program's own homes, on any storage: export { homes }"],
  ],
  onlyReads: true,
  options: (parser) =>
    parser
      .option('write', { type: 'boolean', describe: 'allow decisions and changes' })
      .option('open', { type: 'boolean', describe: 'open the link in the browser' })
      .option('port', {
        coerce: wholeNumber('port', 1, 65_535),
        requiresArg: true,
        describe: `which port of this machine; default: ${PREFERRED_PORT}, or any that is free`,
      })
      .option('module', { type: 'string', requiresArg: true, describe: "a file that exports 'homes' or 'hermes', with their own options" }),
  forAll: true,
  withoutHome: ({ module }) => module !== undefined,
  run: async ({ user, tenant, write = false, open = false, port, module }, context) => {
    const { world } = context
    let inspector: Inspector | undefined
    const opened = await openInspected({ user, tenant, module, write }, context, (event) => inspector?.notify(event))
    if (isFailure(opened)) return { failure: opened }
    const { target, label } = opened
    inspector = hermesInspector(target, { write, label })
    const served = await serve(inspector, { port, preferred: PREFERRED_PORT })
    if (!served.ok) {
      await opened.close()
      return failed(served.error)
    }
    const { origin, close } = served.value
    let stop = () => {}
    const stopped = new Promise<void>((resolve) => {
      stop = resolve
    })
    const unlisten = world.onStop(stop)
    try {
      const link = await inspector.link(origin)
      printLink(link, label, write, context)
      if (open) openBrowser(link, world, () => context.warn('No browser could be opened from here: open the link yourself.'))
      await stopped
    } finally {
      unlisten()
      inspector.close()
      await close()
      await opened.close()
    }
    return { value: { origin }, text: () => 'The inspector has stopped.\n' }
  },
})
