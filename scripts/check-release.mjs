/** Stops a release if the package.json of a package is incomplete. Arguments: package folders. Default: those in packages/. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGES = fileURLToPath(new URL('../packages', import.meta.url))

const problemsOf = (folder) => {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (manifest.private === true) return []
  const missing = ['repository', 'homepage', 'bugs'].filter((field) => manifest[field] === undefined).map((field) => `has no '${field}'`)
  const noDirectory =
    manifest.repository !== undefined && manifest.repository.directory === undefined ? ["names no 'directory' in its 'repository'"] : []
  const noVersion = manifest.version === '0.0.0' ? ["still has the version 0.0.0: run 'pnpm version-packages' first"] : []
  return [...missing, ...noDirectory, ...noVersion].map((problem) => `${manifest.name} ${problem}`)
}

const named = process.argv.slice(2)
const folders = named.length > 0 ? named : readdirSync(PACKAGES).map((name) => join(PACKAGES, name))
const problems = folders.flatMap(problemsOf)
if (problems.length > 0) {
  process.stderr.write(
    `Nothing is published. Complete these package.json files first:\n${problems.map((problem) => `- ${problem}\n`).join('')}`,
  )
  process.exitCode = 1
}
