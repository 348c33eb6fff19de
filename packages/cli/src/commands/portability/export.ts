/** `hermes export`: writes everything that was learned to one file in a standard format. */

import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type ExportManifest, readExportManifest } from '@hermes/core/portability'
import { type Answer, failed, usage } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { hint } from '../../terminal/field-list.ts'
import { counted, formatBytes } from '../../terminal/format.ts'
import { whileShowing } from '../../terminal/progress.ts'
import { DASH, ioFailure, toFile } from './archive-file.ts'

/** Readable by the file's owner only: the archive holds private notes and the contents of skill files. */
const MODE = 0o600

const fileNameOf = (at: number): string => `hermes-${new Date(at).toISOString().slice(0, 10)}.tar.gz`

const describeContents = ({ counts }: ExportManifest): string => {
  const { memory, user, profile = 0, memoryArchive, skills, archivedSkills, pending, journalDays } = counts
  return [
    counted(memory + user + profile, 'memory entry', 'memory entries'),
    counted(memoryArchive, 'archived entry', 'archived entries'),
    counted(skills, 'skill'),
    counted(archivedSkills, 'archived skill'),
    counted(pending, 'pending proposal'),
    `${counted(journalDays, 'day')} of the journal`,
  ].join(', ')
}

/** Replaces an existing file only with `force`, and only once the new one is complete. */
const writeArchive = async (path: string, archive: Uint8Array, force: boolean): Promise<Answer | undefined> => {
  const first = force ? `${path}.${randomUUID()}.tmp` : path
  try {
    await writeFile(first, archive, { flag: 'wx', mode: MODE })
    if (force) await rename(first, path)
    return undefined
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')
      return failed({ code: 'occupied', message: `'${path}' exists already. Name another file, or use --force to replace it.` })
    await rm(first, { force: true }).catch(() => undefined)
    return failed(ioFailure(`'${path}' could not be written`, cause))
  }
}

const toStdout = ({ world, isJson }: Context): Answer | undefined => {
  if (isJson) return failed(usage('With --json, stdout holds the report: name a file for the archive.'))
  if (world.stdout.isTTY === true)
    return failed(usage("An archive cannot be shown on a screen. Name a file, or redirect: 'hermes export - > home.tar.gz'."))
  return undefined
}

export const exportCommand = defineCommand({
  describe: 'Write what the agent has learned to one .tar.gz file: memory, skills, journal, pending proposals.',
  examples: [
    ['hermes export', 'writes hermes-<date>.tar.gz here; only you can read it'],
    ['hermes export - | ssh host hermes import -', 'into the home on another machine'],
  ],
  onlyReads: true,
  options: (parser) =>
    parser
      .positional('file', { coerce: toFile, describe: "default hermes-<date>.tar.gz; '-' is stdout" })
      .option('force', { type: 'boolean', describe: 'replace the file if it exists' }),
  run: async ({ file, force = false }, context) => {
    const refused = file === DASH ? toStdout(context) : undefined
    if (refused) return refused
    const { openHermes } = await import('../../open-hermes.ts')
    const exported = await whileShowing('Packing the home …', context, () => openHermes(context).export())
    if (!exported.ok) return failed(exported.error)
    const manifest = await readExportManifest(exported.value)
    if (!manifest.ok) return failed(manifest.error)
    const { counts, leftOut } = manifest.value
    for (const { path, why } of leftOut) context.warn(`'${path}' is not in the export (${why}).`)
    if (manifest.value.files.length === 0) context.warn(`There is nothing to export in '${context.home}'.`)
    const contents = `${describeContents(manifest.value)}.\n`
    if (file === DASH) {
      context.world.stdout.write(exported.value)
      context.say(contents)
      return {}
    }
    const path = resolve(file ?? fileNameOf(context.clock()))
    const problem = await writeArchive(path, exported.value, force)
    if (problem) return problem
    const bytes = exported.value.length
    return {
      value: { file: path, bytes, counts, leftOut },
      text: (terminal) =>
        `Exported to ${path} (${formatBytes(bytes)}): ${contents}${hint(`Add it to another home: hermes import ${path} --home <folder>`, terminal)}`,
    }
  },
})
