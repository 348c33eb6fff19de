/** `hermes skills uninstall`: moves an installed skill to the archive and forgets where it came from, until it is restored. */
import { failed } from '../../../answer.ts'
import { defineCommand } from '../../../command.ts'
import { oneLine } from '../../../terminal/clean-text.ts'
import { hint } from '../../../terminal/hint.ts'
import { openCurator } from '../../curator/open-curator.ts'
import { shellQuote } from '../../search/shell-quote.ts'
import { failedWithCloseNames } from '../close-names.ts'
import { openSkills } from '../open-skills.ts'
import { keepOrigin, putOriginBack, type TakenOrigin, takeOrigin } from './hub-lock.ts'

const KINDS: ReadonlySet<unknown> = new Set(['npm', 'git', 'local'])

const identifierOf = ({ key, entry }: TakenOrigin): string => {
  const identifier: unknown = Reflect.get(Object(entry), 'identifier')
  return typeof identifier === 'string' ? identifier : key
}

/** Undefined for an origin that another program recorded. A commit cannot be cloned by its id, so the newest one is installed. */
const againCommand = (name: string, origin: TakenOrigin): string | undefined => {
  const kind: unknown = Reflect.get(Object(origin.entry), 'source')
  if (!KINDS.has(kind)) return undefined
  const source = identifierOf(origin)
  return `hermes skills install ${shellQuote(kind === 'git' ? source.replace(/#[^#]*$/, '') : source)} --skill ${shellQuote(name)}`
}

export const uninstallCommand = defineCommand<{ readonly name: string }>({
  usage: 'uninstall <name>',
  describe: 'Take an installed skill away. It moves to the archive; restore brings it back.',
  examples: [['hermes skills uninstall deploy', 'it moves to skills/.archive']],
  options: (parser) => parser.positional('name', { type: 'string', demandOption: true, describe: 'the name or the folder of a skill' }),
  run: async ({ name: asked }, context) => {
    const { storage } = context
    const viewed = await openSkills(context).view(asked)
    if (!viewed.ok) return failedWithCloseNames(viewed.error, context)
    const { name, path } = viewed.value
    const curator = await openCurator(context)
    // First, since the curator archives no installed skill.
    const taken = await takeOrigin(storage, { name, path })
    if (!taken.ok) return failed(taken.error)
    const origin = taken.value
    if (!origin) {
      const message = `'skills/.hub/lock.json' has no origin for the skill '${oneLine(name)}' alone. If it is your own: hermes skills archive ${shellQuote(name)}. If it is one of several that were installed as one folder, remove it at its source.`
      return failed({ code: 'rejected', message })
    }
    const reason = `A person uninstalled it. It came from ${identifierOf(origin)}.`
    const put = await curator.archive(`${path}/SKILL.md`, { reason })
    if (!put.ok) {
      const back = await putOriginBack(storage, origin)
      if (!back.ok) context.warn(back.error.message)
      return failed(put.error)
    }
    const { archived } = put.value
    const kept = await keepOrigin(storage, archived.id, origin)
    if (!kept.ok) context.warn(kept.error.message)
    const again = againCommand(name, origin)
    return {
      value: { archived, origin: identifierOf(origin), again },
      text: (terminal) =>
        [
          `${oneLine(name)} is uninstalled. It is in the archive as ${archived.path}.\n`,
          again === undefined ? '' : hint(`Install it again: ${again}`, terminal),
          hint(`Bring it back as it was: hermes skills restore ${shellQuote(name)}`, terminal),
        ].join(''),
    }
  },
})
