/** The text of a skill that a person writes: from their editor, or from a file. What is refused is not lost. */
import { readFile } from 'node:fs/promises'
import { err, HermesError, ok, type Result } from '@hermes/core'
import { scanThreats } from '@hermes/core/memory'
import { type Answer, failed } from '../../../answer.ts'
import type { Context } from '../../../context.ts'
import { type Draft, editText } from '../../../terminal/edit-text.ts'
import { shellQuote } from '../../../terminal/format.ts'

const readDraft = async (path: string): Promise<Result<Draft>> => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
    return ok({ text, path, discard: async () => {} })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    return err(new HermesError('unreadable', `'${path}' cannot be read as text (${why}). Nothing was changed.`, { cause }))
  }
}

/** `from`: a file; without it the person's editor opens with `text`. */
export const writeDraft = (text: string, from: string | undefined, { world }: Context): Promise<Result<Draft>> =>
  from === undefined ? editText(text, 'SKILL.md', world) : readDraft(from)

/** `again`: the command that takes the corrected file. */
export const refuseDraft = ({ code, message, details }: HermesError, { path }: Draft, again: string): Answer =>
  failed({ code, message: `${message} Your text is kept in ${path}. Correct it, then: ${again} --from ${shellQuote(path)}`, details })

/** A person may write it; the agent is shown a notice in place of the description. */
export const warnOfThreats = (text: string, { warn }: Context): void => {
  const threats = scanThreats(text, 'context')
  if (threats.length > 0) warn(`The threat scan objects to this text (${threats.join(', ')}).`)
}

export const FROM = {
  type: 'string',
  requiresArg: true,
  describe: 'take the text from this file instead of opening an editor',
} as const
