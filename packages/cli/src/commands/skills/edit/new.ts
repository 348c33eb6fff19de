/** `hermes skills new`: creates a skill in the person's editor. */
import type { HermesError } from '@hermes/core'
import { type Failure, failed } from '../../../answer.ts'
import { defineCommand } from '../../../command.ts'
import { oneLine } from '../../../terminal/clean-text.ts'
import { hint } from '../../../terminal/field-list.ts'
import { shellQuote } from '../../../terminal/format.ts'
import { FROM, refuseDraft, warnOfThreats, writeDraft } from './skill-draft.ts'

const template = (name: string): string => `---
name: ${name}
description: What it does, and when to use it. The agent decides by this sentence.
---

# ${name}

1. The first step.
`

/** Core says what an agent would do about a name that is taken. */
const withEdit = ({ code, message, details }: HermesError, name: string): Failure => {
  const isTaken = code === 'occupied' && Array.isArray(details?.['candidates'])
  return { code, message: isTaken ? `${message} 'hermes skills edit ${shellQuote(name)}' changes it.` : message, details }
}

export const newCommand = defineCommand({
  examples: [
    ['hermes skills new deploy', 'opens your editor with a template'],
    ['hermes skills new deploy --category devops --from deploy.md', 'takes the text from a file'],
  ],
  options: (parser) =>
    parser
      .positional('name', { type: 'string', demandOption: true, describe: 'lower-case words with hyphens' })
      .option('category', { type: 'string', requiresArg: true, describe: 'the folder below skills, such as devops' })
      .option('from', FROM),
  run: async ({ name, category, from }, context) => {
    const { openHermes } = await import('../../../open-hermes.ts')
    const store = openHermes(context).skillStore()
    const place = category === undefined ? { name } : { name, category }
    // Before anything is typed: is the name valid and free?
    const planned = await store.plan({ action: 'create', ...place, content: template(name) })
    if (!planned.ok) return failed(withEdit(planned.error, name))
    const draft = await writeDraft(template(name), from, context)
    if (!draft.ok) return failed(draft.error)
    const { text, discard } = draft.value
    if (text === template(name)) {
      await discard()
      return failed({ code: 'confirmation', message: 'The template was not changed, so no skill was created.', isDecision: true })
    }
    const created = await store.create({ ...place, content: text })
    const options = category === undefined ? '' : ` --category ${shellQuote(category)}`
    if (!created.ok) return refuseDraft(created.error, draft.value, `hermes skills new ${shellQuote(name)}${options}`)
    await discard()
    warnOfThreats(text, context)
    const { skill } = created.value
    return {
      value: { name: skill.name, path: skill.path },
      text: (terminal) =>
        `${oneLine(skill.name)} is created in skills/${oneLine(skill.path)}.\n${hint("Agents see it from their next session on, and the curator leaves it alone. 'hermes undo' takes it back.", terminal)}`,
    }
  },
})
