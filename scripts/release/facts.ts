/** Finds what decides whether a release may go out: in git, in the tarballs, on the registry. Changes nothing. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PUBLISHED } from '../support/published.ts'
import type { Manifest } from './manifests.ts'
import { unpinnedIn } from './pin-actions.ts'
import type { ReleaseFacts, ReleasePackage } from './problems.ts'

export interface Tarball {
  readonly name: string
  readonly path: string
  /** As npm writes it: `sha512-…`. */
  readonly integrity: string
  readonly files: readonly string[]
}

export const readTarball = (folder: string, name: string): Tarball => {
  const [file, ...more] = globSync(`hermes-${name}-[0-9]*.tgz`, { cwd: folder })
  if (file === undefined || more.length > 0) throw new Error(`There must be one tarball of @hermes/${name} in '${folder}'.`)
  const path = join(folder, file)
  const integrity = `sha512-${createHash('sha512').update(readFileSync(path)).digest('base64')}`
  const files = execFileSync('tar', ['-tzf', path], { encoding: 'utf8' }).trim().split('\n')
  return { name, path, integrity, files: files.map((each) => each.replace(/^package\//, '')) }
}

export const readFromTarball = (tarball: Tarball, file: string): string =>
  tarball.files.includes(file) ? execFileSync('tar', ['-xzOf', tarball.path, `package/${file}`], { encoding: 'utf8' }) : ''

const pathsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value.replace(/^\.\//, '')]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(pathsIn) : []
}

/** What the registry says about a package: the integrity of each of its versions. */
const publishedVersions = async (registry: string, name: string): Promise<Readonly<Record<string, string>>> => {
  const address = `${registry.replace(/\/$/, '')}/${name.replace('/', '%2f')}`
  const response = await fetch(address).catch((cause: unknown) => {
    throw new Error(`The registry does not answer at ${address}.`, { cause })
  })
  if (response.status === 404) return {}
  if (!response.ok) throw new Error(`The registry answered ${response.status} at ${address}.`)
  const { versions = {} } = (await response.json()) as { versions?: Record<string, { dist: { integrity: string } }> }
  return Object.fromEntries(Object.entries(versions).map(([version, { dist }]) => [version, dist.integrity]))
}

/** From the tarball, which is what goes out. */
const factsOfPackage = async (tarball: Tarball, registry: string): Promise<ReleasePackage> => {
  const manifest: Manifest = JSON.parse(readFromTarball(tarball, 'package.json'))
  const { exports, bin, main, types } = manifest
  const integrity = (await publishedVersions(registry, manifest.name))[manifest.version]
  return {
    manifest,
    changelog: readFromTarball(tarball, 'CHANGELOG.md'),
    missingFiles: [...new Set(pathsIn([exports, bin, main, types]))].filter((path) => !tarball.files.includes(path)),
    published: integrity === undefined ? 'no' : integrity === tarball.integrity ? 'same' : 'other',
  }
}

/** `tarballs`: the folder with the packed packages. */
export const findFacts = async (root: string, tarballs: string, registry: string): Promise<ReleaseFacts> => {
  const git = (...args: readonly string[]): readonly string[] =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' })
      .split('\n')
      .filter((line) => line !== '')
  const packages = PUBLISHED.map((name) => factsOfPackage(readTarball(tarballs, name), registry))
  return {
    changedFiles: git('status', '--porcelain').map((line) => line.slice(3)),
    tags: git('tag', '--points-at', 'HEAD'),
    changesets: readdirSync(join(root, '.changeset')).filter((file) => file.endsWith('.md') && file !== 'README.md'),
    changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    unpinned: unpinnedIn(root),
    packages: await Promise.all(packages),
  }
}
