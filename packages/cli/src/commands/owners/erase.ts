/** `hermes owners erase`: permanently deletes all data of one owner. */
import { failed, usage } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { askFirst } from '../../terminal/ask-first.ts'
import { cleanText } from '../../terminal/clean-text.ts'
import { counted, formatBytes } from '../../terminal/format.ts'
import { whileShowing } from '../../terminal/progress.ts'

export const eraseCommand = defineCommand({
  examples: [
    ['hermes owners erase --user ada@example.com', 'memory, skills, sessions, journal, backups'],
    ['hermes owners erase --tenant acme --user ada --yes', 'without confirmation, for scripts'],
  ],
  options: (parser) => parser.option('yes', { alias: 'y', type: 'boolean', describe: 'do not ask' }),
  forAll: true,
  run: async ({ user, tenant, yes }, context) => {
    if (user === undefined) return failed(usage('Missing --user: hermes owners erase --user <id>.'))
    const whom = tenant === undefined ? `'${cleanText(user)}'` : `'${cleanText(user)}' of '${cleanText(tenant)}'`
    const refused = await askFirst(`Erase all data of ${whom}, including backups? This cannot be undone.`, yes, context)
    if (refused) return refused
    const { loadConfiguredProvider, NOT_ERASED, openHomes } = await import('../../open-hermes.ts')
    const homes = openHomes(context, { provider: await loadConfiguredProvider(context, NOT_ERASED) })
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
  },
})
