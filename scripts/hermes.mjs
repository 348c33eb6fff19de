/**
 * `pnpm hermes`: the command line; with `--entry=<file>` another program on the same packages, as `pnpm chat` does. Built first if its sources
 * have changed since this checkout last built it. Looking at the times of the sources takes some milliseconds; asking the build tool would take
 * seconds and print its lines.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..')
const MAIN = join(ROOT, 'packages/cli/dist/main.js')
const ENTRY = '--entry='
const [first = ''] = process.argv.slice(2)
const program = first.startsWith(ENTRY) ? join(ROOT, first.slice(ENTRY.length)) : MAIN
const STAMP = join(ROOT, 'node_modules/.cache/hermes-cli-build')
/** What a build reads outside the packages. */
const SHARED = ['pnpm-lock.yaml', 'turbo.json', 'tsconfig.base.json', 'scripts']
/** What a build writes, or does not read. */
const IGNORED = new Set(['dist', 'node_modules', '.turbo', 'test', 'coverage'])

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** The folders of the command and of the packages of this repository that it is built from. */
const packagesOf = (name, found = new Map()) => {
  const folder = join(ROOT, 'packages', name.replace('@hermes/', ''))
  if (found.has(name) || !existsSync(join(folder, 'package.json'))) return found
  found.set(name, folder)
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = readJson(join(folder, 'package.json'))
  for (const needed of Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies })) {
    if (needed.startsWith('@hermes/')) packagesOf(needed, found)
  }
  return found
}

/** A line for each file: path, size and time of its last change. */
const linesOf = (path) => {
  const status = statSync(path, { throwIfNoEntry: false })
  if (!status) return []
  if (!status.isDirectory()) return [`${path} ${status.size} ${status.mtimeMs}`]
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !IGNORED.has(name) && !name.endsWith('.test.ts'))
    .flatMap(({ name }) => linesOf(join(path, name)))
}

const fingerprint = () => {
  const hash = createHash('sha256')
  for (const path of [...packagesOf('@hermes/cli').values(), ...SHARED.map((name) => join(ROOT, name))]) {
    for (const line of linesOf(path)) hash.update(`${line}\n`)
  }
  return hash.digest('hex')
}

const isBuilt = (sources) => existsSync(MAIN) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources

/** Prints what the build tool says only if the build fails. */
const build = () => {
  if (process.stderr.isTTY) process.stderr.write('Building the hermes command …')
  const turbo = join(ROOT, 'node_modules/turbo/bin/turbo')
  const built = spawnSync(process.execPath, [turbo, 'run', 'build', '--filter=@hermes/cli...', '--output-logs=errors-only'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
  })
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  if (built.status === 0) return
  process.stderr.write(`${built.stdout}${built.stderr}error: The hermes command could not be built; the lines above say why.\n`)
  process.exit(1)
}

const sources = fingerprint()
if (!isBuilt(sources)) {
  build()
  mkdirSync(dirname(STAMP), { recursive: true })
  writeFileSync(STAMP, sources)
}
if (program !== MAIN) process.argv.splice(2, 1)
process.argv[1] = program
await import(pathToFileURL(program).href)
