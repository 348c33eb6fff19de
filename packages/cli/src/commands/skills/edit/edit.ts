/** `hermes skills edit`: opens a skill in the person's editor. */
import { failed } from '../../../answer.ts'
import { defineCommand } from '../../../command.ts'
import { oneLine } from '../../../terminal/clean-text.ts'
import { hint } from '../../../terminal/hint.ts'
import { shellQuote } from '../../search/shell-quote.ts'
import { failedWithCloseNames } from '../close-names.ts'
import { FROM, refuseDraft, warnOfThreats, writeDraft } from './skill-draft.ts'

interface EditArgs {
  readonly name: string
  readonly from: string | undefined
}

export const editCommand = defineCommand<EditArgs>({
  usage: 'edit <name>',
  describe: 'Change the SKILL.md of a skill in your editor ($VISUAL or $EDITOR). It is checked before it is written.',
  examples: [
    ['hermes skills edit deploy', 'opens your editor'],
    ['hermes skills edit deploy --from deploy.md', 'takes the text from a file'],
  ],
  options: (parser) =>
    parser.positional('name', { type: 'string', demandOption: true, describe: 'the name or the folder of a skill' }).option('from', FROM),
  run: async ({ name: asked, from }, context) => {
    const { openHermes } = await import('../../../open-hermes.ts')
    const store = openHermes(context).skillStore()
    const viewed = await store.view(asked)
    if (!viewed.ok) return failedWithCloseNames(viewed.error, context)
    const { name, path, content, version } = viewed.value
    const draft = await writeDraft(content, from, context)
    if (!draft.ok) return failed(draft.error)
    const { text, discard } = draft.value
    if (text === content) {
      await discard()
      return { value: { name, path, changed: false }, text: () => 'Nothing was changed.\n' }
    }
    const edited = await store.edit(asked, text, { version })
    if (!edited.ok) return refuseDraft(edited.error, draft.value, `hermes skills edit ${shellQuote(asked)}`)
    await discard()
    warnOfThreats(text, context)
    return {
      value: { name, path, changed: true, before: content },
      text: (terminal) =>
        `${oneLine(name)} is changed.\n${hint("Agents see it from their next session on. 'hermes undo' takes it back.", terminal)}`,
    }
  },
})
