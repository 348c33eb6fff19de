/** `hermes import`: merges an export into this home. Overwrites nothing and reports what it refused. */
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { whileShowing } from '../../terminal/progress.ts'
import { toFile } from './file-argument.ts'
import { renderImport } from './import-view.ts'
import { readArchive } from './read-archive.ts'

interface ImportArgs {
  readonly file: string
  readonly 'dry-run': boolean | undefined
  readonly untrusted: boolean | undefined
}

export const importCommand = defineCommand<ImportArgs>({
  usage: 'import <file>',
  describe: 'Add the contents of an export to this home. Overwrites nothing; importing it again changes nothing.',
  examples: [
    ['hermes import hermes-2026-05-16.tar.gz --dry-run', 'what would be added, and what would be refused'],
    ['hermes import home.tar.gz', 'what another home of yours has learned'],
    ['hermes import team.tar.gz --untrusted', "somebody else's: each item is judged as text from outside"],
  ],
  options: (parser) =>
    parser
      .positional('file', { coerce: toFile, demandOption: true, describe: "a file that 'hermes export' wrote; '-' is stdin" })
      .option('dry-run', { type: 'boolean', describe: 'only show what would be done' })
      .option('untrusted', {
        type: 'boolean',
        describe: 'treat all of it as text from outside: facts are added as data, the rest waits or is refused',
      }),
  createsHome: true,
  run: async ({ file, 'dry-run': dryRun = false, untrusted = false }, context) => {
    const archive = await readArchive(file, context.world.stdin)
    if (!archive.ok) return failed(archive.failure)
    const { openWithProvider } = await import('../../open-hermes.ts')
    const hermes = await openWithProvider(context)
    const imported = await whileShowing('Importing …', context, () => hermes.import(archive.bytes, { dryRun, trusted: !untrusted }))
    if (imported.ok) return { value: imported.value, text: (terminal) => renderImport(imported.value, terminal) }
    return failed(imported.error)
  },
})
