/** `hermes skills edit`: opens a skill in the person's editor. */

import { failed } from '../../../answer.ts'
import { defineCommand } from '../../../command.ts'
import { oneLine } from '../../../terminal/clean-text.ts'
import { hint } from '../../../terminal/field-list.ts'
import { shellQuote } from '../../../terminal/format.ts'
import { SKILL_NAME } from '../../curator/open-curator.ts'
import { failedWithCloseNames } from '../library.ts'
import { FROM, refuseDraft, warnOfThreats, writeDraft } from './skill-draft.ts'

export const editCommand = defineCommand({
  examples: [
    ['hermes skills edit deploy', 'opens your editor'],
    ['hermes skills edit deploy --from deploy.md', 'takes the text from a file'],
  ],
  options: (parser) => parser.positional('name', SKILL_NAME).option('from', FROM),
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
