/** `hermes skills install`: installs a skill that somebody else wrote. Shows what it holds and asks first. */

import { type Hermes, ok, type Result } from '@hermes/core'
import { readInstalled } from '@hermes/core/skills'
import { type Answer, failed, isFailure, isRefusal, type Refusal, usage } from '../../../answer.ts'
import { defineCommand } from '../../../command.ts'
import type { Context } from '../../../context.ts'
import { askFirst } from '../../../terminal/ask-first.ts'
import { oneLine } from '../../../terminal/clean-text.ts'
import { hint, renderFields } from '../../../terminal/field-list.ts'
import { counted, formatBytes } from '../../../terminal/format.ts'
import { whileShowing } from '../../../terminal/progress.ts'
import { forStderr } from '../../../terminal/terminal.ts'
import { wrapText } from '../../../terminal/text-width.ts'
import { type CheckedSkill, checkSkill, findSkills } from './found-skill.ts'
import { placeSkill } from './place-skill.ts'
import { fetchSource, readSource, type Source, sourceName } from './source.ts'
import { BadSource } from './source-files.ts'

interface InstallArgs {
  readonly source: string
  readonly skill: readonly string[]
  readonly all: boolean | undefined
  readonly replace: boolean | undefined
  readonly yes: boolean | undefined
}

interface Offer {
  readonly skills: readonly CheckedSkill[]
  readonly identifier: string
}

/** Checks every skill that is to be installed; the others of the source are not looked at more closely than for their names. */
const choose = async (
  found: ReturnType<typeof findSkills>,
  { skill: wanted, all }: InstallArgs,
): Promise<readonly CheckedSkill[] | Refusal> => {
  if (found.length === 0) return failed({ code: 'not_found', message: 'There is no SKILL.md in this source.' })
  const folderName = (folder: string): string => folder.split('/').at(-1) ?? ''
  const names = found.map(({ folder }) => oneLine(folderName(folder)) || 'the source itself').join(', ')
  const named = found.filter(({ folder }) => wanted.includes(folderName(folder)))
  const candidates = all === true || found.length === 1 || named.length < wanted.length ? found : named
  if (wanted.length === 0 && all !== true && found.length > 1) {
    return failed(usage(`This source has ${found.length} skills: ${names}. Name one with --skill, or take them with --all.`))
  }
  const checked: CheckedSkill[] = []
  for (const candidate of candidates) {
    const one = await checkSkill(candidate)
    const isWanted = wanted.length === 0 || wanted.includes(folderName(candidate.folder)) || (one.ok && wanted.includes(one.value.name))
    if (!isWanted) continue
    if (!one.ok) return failed(one.error)
    checked.push(one.value)
  }
  const missing = wanted.filter(
    (name) => !checked.some((one) => one.name === name) && !named.some(({ folder }) => folderName(folder) === name),
  )
  return missing.length === 0
    ? checked
    : failed({ code: 'not_found', message: `There is no skill '${missing[0]}' in this source. It has: ${names}.` })
}

const fetchOffer = async (source: Source, args: InstallArgs, context: Context): Promise<Offer | Refusal> => {
  try {
    const { files, identifier } = await whileShowing('Getting it …', context, () => fetchSource(source, context.world))
    const skills = await choose(findSkills(files), args)
    return isRefusal(skills) ? skills : { skills, identifier }
  } catch (cause) {
    if (cause instanceof BadSource) return failed({ code: 'invalid', message: cause.message })
    throw cause
  }
}

const sizeOf = ({ text, files }: CheckedSkill): number => Buffer.byteLength(text) + files.reduce((sum, { bytes }) => sum + bytes.length, 0)

const announce = ({ skills, identifier }: Offer, context: Context): void => {
  const terminal = forStderr(context.terminal)
  for (const skill of skills) {
    const scripts = skill.files.filter(({ path, executable }) => executable || path.startsWith('scripts/'))
    const fields = renderFields(
      [
        ['about', oneLine(skill.description)],
        ['from', identifier],
        ['size', `${counted(skill.files.length + 1, 'file')}, ${formatBytes(sizeOf(skill))}`],
        ['scripts', scripts.map(({ path }) => path).join('\n')],
        ['files', skill.files.map(({ path }) => path).join('\n')],
      ],
      terminal,
    )
    context.say(`${terminal.paint.bold(oneLine(skill.name))}\n${fields}`)
  }
}

/** The names that are taken, and those of them that a person has pinned. */
const lookAtHome = async (skills: readonly CheckedSkill[], hermes: Hermes): Promise<Result<{ taken: string[]; pinned: string[] }>> => {
  const listed = await hermes.skillStore().list()
  if (!listed.ok) return listed
  const present = new Set(listed.value.skills.map(({ name }) => name))
  const taken = skills.map(({ name }) => name).filter((name) => present.has(name))
  const records = await hermes.usageStore().all()
  return ok({ taken, pinned: taken.filter((name) => records.get(name)?.pinned === true) })
}

const refuseTaken = (taken: readonly string[], pinned: readonly string[], replace: boolean): Answer | undefined => {
  if (pinned.length > 0)
    return failed({ code: 'rejected', message: `The skill '${pinned[0]}' is pinned. Unpin it first: hermes curator unpin ${pinned[0]}` })
  if (taken.length === 0 || replace) return undefined
  const message = `The skill '${taken[0]}' exists already and was left as it is. --replace moves it to the archive first, after a backup.`
  return failed({ code: 'occupied', message })
}

const installAll = async (offer: Offer, taken: readonly string[], source: Source, hermes: Hermes, context: Context): Promise<Answer> => {
  const origin = { source: sourceName(source), identifier: offer.identifier, at: context.clock() }
  const done: { readonly name: string; readonly path: string; readonly replaced: string | undefined }[] = []
  const show = (): Pick<Answer, 'value' | 'text'> => ({
    value: { installed: done, ...origin },
    text: (terminal) =>
      `${done
        .map(({ name, replaced }) => {
          const former = replaced === undefined ? '' : `; the former one is in the archive as ${replaced}`
          return `${terminal.paint.green('installed')}  ${wrapText(`${oneLine(name)} in skills/${name}${former}`, terminal.columns, 11)}\n`
        })
        .join(
          '',
        )}${hint('Agents see it from their next session on. Nothing changes it automatically; hermes undo takes it back.', terminal)}`,
  })
  for (const skill of offer.skills) {
    const installed = await placeSkill(skill, taken.includes(skill.name), origin, hermes, context)
    if (!installed.ok) return { ...(done.length === 0 ? {} : show()), ...failed(installed.error) }
    done.push({ name: skill.name, path: `skills/${skill.name}`, replaced: installed.value })
  }
  return show()
}

const run = async (args: InstallArgs, context: Context): Promise<Answer> => {
  const source = readSource(args.source, context.world.userHome)
  if (isFailure(source)) return failed(source)
  const lock = await readInstalled(context.storage)
  if (!lock.ok) return failed(lock.error)
  const offer = await fetchOffer(source, args, context)
  if (isRefusal(offer)) return offer
  const { openHermes } = await import('../../../open-hermes.ts')
  const hermes = openHermes(context)
  const present = await lookAtHome(offer.skills, hermes)
  if (!present.ok) return failed(present.error)
  const { taken, pinned } = present.value
  const refusal = refuseTaken(taken, pinned, args.replace === true)
  if (refusal) return refusal
  announce(offer, context)
  const refused = await askFirst(`Install ${counted(offer.skills.length, 'skill')}? Agents will follow the text.`, args.yes, context)
  return refused ?? installAll(offer, taken, source, hermes, context)
}

export const installCommand = defineCommand<InstallArgs>({
  examples: [
    ['hermes skills install ./my-skills --skill deploy', 'one skill of a folder'],
    ['hermes skills install https://github.com/acme/skills.git#v2 --all', 'all skills of a git repository, at a tag'],
    ['hermes skills install @acme/skills@2 --replace', 'from npm; the present skill moves to the archive, after a backup'],
  ],
  lists: ['skill'],
  options: (parser) =>
    parser
      .positional('source', { type: 'string', demandOption: true, describe: 'a package, a git address, a path that begins with ./' })
      .option('skill', {
        type: 'string',
        array: true,
        nargs: 1,
        default: [] as string[],
        requiresArg: true,
        describe: 'the name of one skill of the source',
      })
      .option('all', { type: 'boolean', describe: 'every skill of the source' })
      .option('replace', { type: 'boolean', describe: 'replace a skill of the same name; it moves to the archive, after a backup' })
      .option('yes', { alias: 'y', type: 'boolean', describe: 'do not ask' }),
  run,
})
