/** `hermes skills show`: one skill, or one of its files. */

import type { SkillView } from '@hermes/core/skills'
import { type Answer, failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { cleanText } from '../../terminal/clean-text.ts'
import { renderFields } from '../../terminal/field-list.ts'
import { counted, relativeTime } from '../../terminal/format.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { SKILL_NAME } from '../curator/open-curator.ts'
import {
  failedWithCloseNames,
  type OwnedSkillRow,
  openSkillReader,
  ownerWord,
  paintState,
  placeOf,
  readSkillLibrary,
  stateWord,
} from './library.ts'

const times = (count: number, at: number, now: number): string =>
  count === 0 ? 'never' : `${counted(count, 'time')}${at === 0 ? '' : `, last ${relativeTime(at, now)}`}`

const outcome = ({ successCount, correctionCount }: Pick<OwnedSkillRow, 'successCount' | 'correctionCount'>): string | undefined =>
  successCount + correctionCount === 0
    ? undefined
    : `${counted(successCount, 'turn')} ended well after loading it, ${counted(correctionCount, 'correction')}`

const failures = ({
  failureCount,
  repairCount,
  failing,
}: Pick<OwnedSkillRow, 'failureCount' | 'repairCount' | 'failing'>): string | undefined =>
  failureCount === 0
    ? undefined
    : `${counted(failureCount, 'turn')} with a failed tool after loading it, ${counted(repairCount, 'repair')}${failing ? '; the repairs did not help: look at it' : ''}`

const models = ({ createdByModel, patchedByModel }: Pick<OwnedSkillRow, 'createdByModel' | 'patchedByModel'>): string =>
  [
    ...(createdByModel === null ? [] : [`written by ${createdByModel}`]),
    ...(patchedByModel === null ? [] : [`last changed by ${patchedByModel}`]),
  ].join(', ')

const endWithBreak = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`)

const render = (view: SkillView, row: OwnedSkillRow | undefined, context: Context, terminal: Terminal): string => {
  const now = context.clock()
  const counts = row?.owner === 'shared' ? undefined : row
  const { bold, dim } = terminal.paint
  const { name, document, linkedFiles, content } = view
  const state = row ? paintState(stateWord(row), row, terminal.paint) : ''
  const fields = renderFields(
    [
      ['about', document.description],
      ['folder', placeOf(view, context)],
      ['by', row ? ownerWord(row) : undefined],
      ['used', counts ? times(counts.useCount, counts.lastUsedAt, now) : undefined],
      ['viewed', counts ? times(counts.viewCount, 0, now) : undefined],
      ['changed', counts ? times(counts.patchCount, 0, now) : undefined],
      ['outcome', counts ? outcome(counts) : undefined],
      ['failures', counts ? failures(counts) : undefined],
      ['model', counts ? models(counts) : undefined],
      ['files', Object.values(linkedFiles).flat().join('\n')],
      ['problems', document.diagnostics.map(({ message }) => message).join('\n')],
    ],
    terminal,
  )
  return `${bold(name)}  ${state}\n${fields}${dim('─'.repeat(Math.min(terminal.columns, 40)))}\n${endWithBreak(cleanText(content))}`
}

const showFile = async (name: string, file: string, context: Context): Promise<Answer> => {
  const viewed = await openSkillReader(context).view(name, file)
  if (!viewed.ok) return failedWithCloseNames(viewed.error, context)
  const { content, bytes, skill } = viewed.value
  if (content === undefined) {
    const message = `'${file}' of the skill '${skill.name}' is not text (${counted(bytes.length, 'byte')}). It is stored in ${placeOf(skill, context)}/${file}.`
    return failed({ code: 'unreadable', message })
  }
  return { value: { name: skill.name, path: skill.path, filePath: file, content }, text: () => endWithBreak(cleanText(content)) }
}

export const showCommand = defineCommand({
  examples: [
    ['hermes skills show deploy', 'by its name'],
    ['hermes skills show devops/deploy', 'by its folder, if several skills have that name'],
    ['hermes skills show deploy references/api.md', 'one of its files'],
  ],
  onlyReads: true,
  options: (parser) =>
    parser.positional('name', SKILL_NAME).positional('file', { type: 'string', describe: "a path inside the skill's folder" }),
  run: async ({ name, file }, context) => {
    if (file !== undefined) return showFile(name, file, context)
    const viewed = await openSkillReader(context).view(name)
    if (!viewed.ok) return failedWithCloseNames(viewed.error, context)
    const library = await readSkillLibrary({ ...context, warn: () => {} })
    const row = library.ok ? library.value.skills.find(({ path }) => path === viewed.value.path) : undefined
    const { path, content, document, linkedFiles } = viewed.value
    const { description, diagnostics } = document
    return {
      value: { ...row, name: viewed.value.name, path, description, content, linkedFiles, diagnostics },
      text: (terminal) => render(viewed.value, row, context, terminal),
    }
  },
})
