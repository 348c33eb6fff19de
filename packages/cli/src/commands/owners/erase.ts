/** `hermes owners erase`: permanently deletes all data of one owner. */
import { type Answer, EXIT, failed } from '../../answer.ts'
import { defineCommand, type GlobalArgs } from '../../command.ts'
import type { Context } from '../../context.ts'
import { cleanText } from '../../terminal/clean-text.ts'
import { formatBytes } from '../../terminal/format-bytes.ts'
import { counted } from '../../terminal/gauge.ts'
import { whileShowing } from '../../terminal/progress.ts'
import { askFirst } from '../curator/ask-first.ts'
import { openHomes } from './open-homes.ts'

interface EraseArgs {
  readonly yes: boolean | undefined
}

const erase = async ({ user, tenant, yes }: EraseArgs & GlobalArgs, context: Context): Promise<Answer> => {
  if (user === undefined)
    return failed({ code: 'usage', message: 'Missing --user: hermes owners erase --user <id>.', exitCode: EXIT.usage })
  const whom = tenant === undefined ? `'${cleanText(user)}'` : `'${cleanText(user)}' of '${cleanText(tenant)}'`
  const refused = await askFirst(`Erase all data of ${whom}, including backups? This cannot be undone.`, yes, context)
  if (refused) return refused
  const { loadConfiguredProvider, NOT_ERASED } = await import('../../open-hermes.ts')
  const homes = openHomes(context, await loadConfiguredProvider(context, NOT_ERASED))
  context.atEnd(() => homes.close())
  const erased = await whileShowing('Erasing …', context, () => homes.erase({ tenant, user }))
  if (!erased.ok) return failed(erased.error)
  const { documents, bytes, folders, provider } = erased.value
  const parts = Object.entries(folders).map(([folder, count]) => `${folder} ${count}`)
  const elsewhere =
    provider && provider.items > 0 ? `, and ${counted(provider.items, 'thing')} in the memory provider '${provider.name}'` : ''
  return {
    value: erased.value,
    text: () =>
      documents === 0 && elsewhere === ''
        ? `There was no data of ${whom}.\n`
        : `All data of ${whom} is erased: ${counted(documents, 'document')}, ${formatBytes(bytes)} (${parts.join(', ')})${elsewhere}.\n`,
    ...(provider?.remaining === undefined
      ? {}
      : failed({
          code: 'incomplete',
          message: `The memory provider '${provider.name}' may still have data of ${whom}: ${provider.remaining}`,
        })),
  }
}

export const eraseCommand = defineCommand<EraseArgs>({
  usage: 'erase',
  describe: 'Erase all data of one person permanently. Asks first.',
  examples: [
    ['hermes owners erase --user ada@example.com', 'memory, skills, sessions, journal, backups'],
    ['hermes owners erase --tenant acme --user ada --yes', 'without confirmation, for scripts'],
  ],
  options: (parser) => parser.option('yes', { alias: 'y', type: 'boolean', describe: 'do not ask' }),
  forAll: true,
  run: erase,
})
