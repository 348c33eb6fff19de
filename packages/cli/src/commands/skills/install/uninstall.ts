/** `hermes skills uninstall`: moves an installed skill to the archive and forgets where it came from, until it is restored. */

import type { SkillSource } from '@hermes/core/skills'
import { defineCommand } from '../../../command.ts'
import { oneLine } from '../../../terminal/clean-text.ts'
import { hint } from '../../../terminal/field-list.ts'
import { shellQuote } from '../../../terminal/format.ts'
import { openCurator, SKILL_NAME } from '../../curator/open-curator.ts'
import { failedWithCloseNames } from '../library.ts'

const KINDS: ReadonlySet<unknown> = new Set(['npm', 'git', 'local'])

const identifierOf = ({ key, entry }: SkillSource): string => {
  const identifier: unknown = Reflect.get(Object(entry), 'identifier')
  return typeof identifier === 'string' ? identifier : key
}

/** Undefined for an origin that another program recorded. A commit cannot be cloned by its id, so the newest one is installed. */
const againCommand = (name: string, origin: SkillSource): string | undefined => {
  const kind: unknown = Reflect.get(Object(origin.entry), 'source')
  if (!KINDS.has(kind)) return undefined
  const source = identifierOf(origin)
  return `hermes skills install ${shellQuote(kind === 'git' ? source.replace(/#[^#]*$/, '') : source)} --skill ${shellQuote(name)}`
}

export const uninstallCommand = defineCommand({
  examples: [['hermes skills uninstall deploy', 'it moves to skills/.archive']],
  options: (parser) => parser.positional('name', SKILL_NAME),
  run: async ({ name: asked }, context) => {
    const curator = await openCurator(context)
    const put = await curator.archive(asked, { reason: 'A person uninstalled it.', uninstall: true })
    if (!put.ok) return failedWithCloseNames(put.error, context)
    const { archived, source } = put.value
    const again = source && againCommand(archived.name, source)
    return {
      value: { archived, origin: source && identifierOf(source), again },
      text: (terminal) =>
        [
          `${oneLine(archived.name)} is uninstalled. It is in the archive as ${archived.path}.\n`,
          again === undefined ? '' : hint(`Install it again: ${again}`, terminal),
          hint(`Bring it back as it was: hermes curator restore ${shellQuote(archived.name)}`, terminal),
        ].join(''),
    }
  },
})
