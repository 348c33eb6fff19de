/** Whether a file of a skill is still as a write left it. */

import { inMemoryBackend } from '@hermes/core'
import { SkillStore } from '@hermes/core/skills'
import { updateDocument } from '@hermes/core/storage'
import type { Written } from './undo-step.ts'

const SKILL_FILE = 'SKILL.md'

const asSkill = (name: string): string => `---\nname: ${name}\ndescription: A copy to compare with.\n---\n\nNothing.\n`

/** Patches a copy of the text before, so that the text is found in the same way as in the write. */
const patched = async (
  name: string,
  filePath: string,
  before: string,
  patch: { readonly oldText: string; readonly newText: string; readonly replaceAll: boolean },
): Promise<string | undefined> => {
  const storage = inMemoryBackend()
  const put = (path: string, text: string) => updateDocument(storage, `skills/copy/${path}`, () => new TextEncoder().encode(text))
  await put(SKILL_FILE, filePath === SKILL_FILE ? before : asSkill(name))
  if (filePath !== SKILL_FILE) await put(filePath, before)
  const store = new SkillStore({ storage })
  const done = await store.patch('copy/SKILL.md', { filePath, ...patch })
  return done.ok && done.value.after ? new TextDecoder().decode(done.value.after) : undefined
}

/** The text that a write left; undefined if that cannot be told. */
export const textAfter = async (
  { name, filePath, before }: { readonly name: string; readonly filePath: string; readonly before: string | undefined },
  written: Written,
): Promise<string | undefined> => {
  if ('text' in written) return written.text
  return before === undefined ? undefined : patched(name, filePath, before, written)
}

/** Line ends and a final line break do not count. */
export const isSameText = (one: string, other: string): boolean => {
  const plain = (text: string): string => text.replace(/\r\n?/g, '\n').trimEnd()
  return plain(one) === plain(other)
}
