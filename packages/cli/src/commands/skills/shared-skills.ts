/** The folders of shared skills that config.yaml names. */

import type { StorageBackend } from '@hermes/core'
import { skillsFolder } from '@hermes/core/file-system'
import type { SkillReader } from '@hermes/core/skills'
import type { Context } from '../../context.ts'
import { openSkills } from './open-skills.ts'

const foldersOf = ({ config }: Pick<Context, 'config'>): readonly string[] => (config.ok ? (config.value.config.skills.shared ?? []) : [])

export const sharedSkills = (context: Pick<Context, 'config' | 'home'>): readonly StorageBackend[] =>
  foldersOf(context).map((folder) => skillsFolder(folder, { from: context.home }))

/** The skills of the home, followed by the shared ones. */
export const openSkillReader = (context: Context): SkillReader => openSkills(context).withShared(sharedSkills(context))

/** The location of a skill: below the home, or in a folder that config.yaml names. */
export const placeOf = ({ path, sharedFrom }: { readonly path: string; readonly sharedFrom?: number }, context: Context): string =>
  `${sharedFrom === undefined ? 'skills' : foldersOf(context)[sharedFrom]}/${path}`
